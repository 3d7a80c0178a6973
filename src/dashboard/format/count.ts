const whole = new Intl.NumberFormat();

/** `1,234`. */
export function formatCount(count: number): string {
  return whole.format(count);
}

/** `1 charge`, `1,234 charges`: the words for one, and for any other number. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
