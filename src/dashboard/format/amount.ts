/**
 * Currencies in which nobody writes fractions, whatever ISO 4217 says of their minor units: those of the catalogue of methods,
 * which the dashboard does not load; a test holds them to it.
 */
export const zeroDecimalCurrencies = new Set(['IDR', 'KRW', 'VND']);

/**
 * A decimal string such as `1128.50` as the reader writes amounts, with the code because many currencies write `$`:
 * `$1,128.50 HKD`. Intl takes the text itself, so no digit passes through a binary float.
 */
export function formatAmount(decimal: string, currency: string): string {
  const text = toFieldAmount(decimal, currency);
  const digits = text.split('.')[1]?.length ?? 0;
  const amount = new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(text as Intl.StringNumericLiteral);
  return amount.includes(currency) ? amount : `${amount} ${currency}`;
}

/** An exchange rate, of which ten digits count. */
export function formatRate(decimal: string): string {
  return new Intl.NumberFormat(undefined, { maximumSignificantDigits: 10 }).format(
    decimal as Intl.StringNumericLiteral,
  );
}

/** As one writes it into a field: `1128.50`, without the fractions that nobody writes. */
export function toFieldAmount(decimal: string, currency: string): string {
  return zeroDecimalCurrencies.has(currency) ? decimal.replace(/\.0+$/, '') : decimal;
}

export function isZero(decimal: string): boolean {
  return !/[1-9]/.test(decimal);
}

export function isNegative(decimal: string): boolean {
  return decimal.startsWith('-') && !isZero(decimal);
}

/** The exact sum of decimals of one currency, which all have as many digits after the point. */
export function sumDecimals(decimals: readonly string[]): string {
  const digits = Math.max(0, ...decimals.map((decimal) => decimal.split('.')[1]?.length ?? 0));
  const toMinorUnits = (decimal: string) => {
    const [whole = '', fraction = ''] = decimal.split('.');
    return BigInt(whole + fraction.padEnd(digits, '0'));
  };
  const sum = decimals.reduce((total, decimal) => total + toMinorUnits(decimal), 0n);
  const text = String(sum).padStart(digits + 1, '0');
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
