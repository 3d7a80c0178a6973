/** Formats a percentage, such as `8.25%`. */
export function formatTaxRate(locale: string, rate: { toString(): string }): string {
  const options = { style: 'percent', maximumFractionDigits: 4 } as const;
  return new Intl.NumberFormat(locale, options).format(Number(rate.toString()) / 100);
}
