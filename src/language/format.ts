import { type Money, toDecimal } from '../kit/money.ts';
import { getPayableDigits } from '../method/payable-amount.ts';
import type { Language } from './languages.ts';

// Amounts and dates in the format of a language (Unicode CLDR, as implemented by `Intl`).

/** Locales for readers whose region is unknown. English puts the day before the month. */
const locales: Partial<Record<Language, string>> = { en: 'en-001', 'zh-Hant': 'zh-Hant-HK' };

export function getLocale(language: Language): string {
  return locales[language] ?? language;
}

/** Returns the amount as payment apps accept it, such as `128.50` or `250000`: without grouping separators. */
export function plainAmount(money: Money): string {
  const text = toDecimal(money);
  return getPayableDigits(money.currency) === 0 ? text.replace(/\.0+$/, '') : text;
}

/** Formats are cached, because creating one takes longer than rendering the rest of an email. */
const moneyFormats = new Map<string, Intl.NumberFormat>();
const dateFormats = new Map<string, Intl.DateTimeFormat>();

/**
 * Returns an amount such as `HK$1,128.50`. Passes the decimal to `Intl` as text, because a float would lose
 * digits.
 */
export function formatMoney(locale: string, money: Money): string {
  const { currency } = money;
  const text = plainAmount(money) as Intl.StringNumericLiteral;
  const digits = text.split('.')[1]?.length ?? 0;
  const key = `${locale} ${currency} ${digits}`;
  const format = getOrCreate(
    moneyFormats,
    key,
    () =>
      new Intl.NumberFormat(locale, {
        style: 'currency',
        currency,
        currencyDisplay: 'narrowSymbol',
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      }),
  );
  return format
    .formatToParts(text)
    .map(({ type, value }) => (type === 'currency' ? toUniqueSymbol(currency, value) : value))
    .join('')
    .replace(/\s/g, ' ');
}

/** Dollars without a prefix in English CLDR data, with the prefix that their own countries use. */
const dollarPrefixes: Readonly<Record<string, string>> = { SGD: 'S', USD: 'US' };

/** Returns `HK$` for `$`, because many currencies share that symbol, and `CN¥` for a `¥` of China. */
function toUniqueSymbol(currency: string, symbol: string): string {
  if (symbol !== '$' && symbol !== '¥') return symbol;
  const prefix = dollarPrefixes[currency];
  if (prefix !== undefined) return `${prefix}$`;
  const parts = new Intl.NumberFormat('en', { style: 'currency', currency }).formatToParts(1);
  return parts.find(({ type }) => type === 'currency')?.value ?? currency;
}

/** Returns the day of a time in `timeZone`, such as `28 February 2026`. */
export function formatDate(locale: string, time: Date, timeZone: string): string {
  const create = () => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone });
  return getOrCreate(dateFormats, `${locale} ${timeZone}`, create).format(time);
}

/** Returns a time in `timeZone` with its year, such as `28 February 2026 at 14:05 HKT`. */
export function formatDateTime(locale: string, time: Date, timeZone: string): string {
  const parts = { year: 'numeric', month: 'long', day: 'numeric' } as const;
  return formatTime(locale, time, { ...parts, timeZone });
}

/** Returns the time with its zone, and the parts of the date that `options` names. */
export function formatTime(
  locale: string,
  time: Date,
  options: Pick<Intl.DateTimeFormatOptions, 'year' | 'month' | 'day' | 'timeZone'>,
): string {
  const clock = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;
  const text = new Intl.DateTimeFormat(locale, { ...options, ...clock }).format(time);
  // Traditional Chinese has the zone in square brackets, which look like a placeholder.
  return text.replace(/\[(.*)\]/, '$1');
}

function getOrCreate<T>(cache: Map<string, T>, key: string, create: () => T): T {
  const value = cache.get(key) ?? create();
  cache.set(key, value);
  return value;
}
