const integerFormat = new Intl.NumberFormat();

/** Returns the count with grouping separators, such as `1,234`. */
export function formatCount(count: number): string {
  return integerFormat.format(count);
}

/** Returns the count with its noun, such as `1 charge` or `1,234 charges`. */
export function pluralize(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatCount(count)} ${count === 1 ? singular : plural}`;
}
