const integerFormat = new Intl.NumberFormat();

/** `1,234`. */
export function formatCount(count: number): string {
  return integerFormat.format(count);
}

/** `1 charge`, `1,234 charges`. */
export function pluralize(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatCount(count)} ${count === 1 ? singular : plural}`;
}
