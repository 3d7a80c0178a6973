/** No rate moves as far within days: a mark or a digit is wrong. */
const factorMax = 2;

/** How far a rate is from the one that counts, where that is too far to be right; undefined where it is not. */
export function distanceText(rate: string, present: string): string | undefined {
  const factor = Number(rate) / Number(present);
  if (!(factor > 0) || (factor <= factorMax && factor >= 1 / factorMax)) return undefined;
  const times = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 });
  return factor > 1
    ? `This is ${times.format(factor)} times the current rate, ${present}.`
    : `The current rate, ${present}, is ${times.format(1 / factor)} times this.`;
}
