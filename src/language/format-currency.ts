/** Formats are cached, because creating one takes longer than rendering the rest of an email. */
const formats = new Map<string, Intl.NumberFormat>();

/**
 * Returns a decimal such as `1128.50` as `HK$1,128.50`, with the fraction digits that it has. `Intl` takes the decimal
 * as text, because a float would lose digits.
 */
export function formatCurrency(locale: string | undefined, currency: string, decimal: string): string {
  const digits = decimal.split('.')[1]?.length ?? 0;
  const key = `${locale} ${currency} ${digits}`;
  const format = formats.get(key) ?? createFormat(locale, currency, digits);
  formats.set(key, format);
  return format
    .formatToParts(decimal as Intl.StringNumericLiteral)
    .map(({ type, value }) => (type === 'currency' ? toUniqueSymbol(currency, value) : value))
    .join('')
    .replace(/\s/g, ' ');
}

function createFormat(locale: string | undefined, currency: string, digits: number): Intl.NumberFormat {
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

/** Narrow symbols that several currencies have. */
const sharedSymbols: ReadonlySet<string> = new Set(['$', '¥', '£', '₩', 'kr', 'Rs']);

/** Prefixes of the dollars that English CLDR data shows as `$` or with their code. */
const dollarPrefixes: Readonly<Record<string, string>> = { SGD: 'S', USD: 'US' };

/** Returns `HK$` for `$`, because many currencies share that symbol, and `CN¥` for a `¥` of China. */
function toUniqueSymbol(currency: string, symbol: string): string {
  if (!sharedSymbols.has(symbol)) return symbol;
  const prefix = dollarPrefixes[currency];
  if (prefix !== undefined) return `${prefix}$`;
  const parts = new Intl.NumberFormat('en', { style: 'currency', currency }).formatToParts(1);
  return parts.find(({ type }) => type === 'currency')?.value ?? currency;
}
