/** Currencies in which nobody writes fractions, whatever ISO 4217 says of their minor units. */
const wholeCurrencies = new Set(['IDR', 'KRW', 'VND']);

/**
 * A decimal string such as `1128.50` as the reader writes amounts, with the code because many currencies write `$`:
 * `$1,128.50 HKD`. Intl takes the text itself, so no digit passes through a binary float.
 */
export function formatAmount(decimal: string, currency: string): string {
  const text = wholeCurrencies.has(currency) ? decimal.replace(/\.0+$/, '') : decimal;
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

export function isZero(decimal: string): boolean {
  return !/[1-9]/.test(decimal);
}

export function isNegative(decimal: string): boolean {
  return decimal.startsWith('-') && !isZero(decimal);
}
