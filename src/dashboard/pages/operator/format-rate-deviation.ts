/** No rate moves as far within days: a mark or a digit is wrong. */
const maxPlausibleFactor = 2;

/** How far a rate is from the one that counts, where that is too far to be right; undefined where it is not. */
export function formatRateDeviation(rate: string, currentRate: string): string | undefined {
  const factor = Number(rate) / Number(currentRate);
  if (!(factor > 0) || (factor <= maxPlausibleFactor && factor >= 1 / maxPlausibleFactor)) return undefined;
  const factorFormat = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 });
  return factor > 1
    ? `This is ${factorFormat.format(factor)} times the current rate, ${currentRate}.`
    : `The current rate, ${currentRate}, is ${factorFormat.format(1 / factor)} times this.`;
}
