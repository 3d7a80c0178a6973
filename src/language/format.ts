import { type Money, toDecimal } from '../kit/money.ts';
import { getPayableDigits } from '../method/payable-amount.ts';
import { formatCurrency } from './format-currency.ts';
import type { Language } from './languages.ts';

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
const dateFormats = new Map<string, Intl.DateTimeFormat>();

/** Returns an amount such as `HK$1,128.50`. */
export function formatMoney(locale: string, money: Money): string {
  return formatCurrency(locale, money.currency, plainAmount(money));
}

/** Returns the day of a time in `timeZone`, such as `28 February 2026`. */
export function formatDate(locale: string, time: Date, timeZone: string): string {
  const create = () => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone });
  return getOrCreate(dateFormats, `${locale} ${timeZone}`, create).format(time);
}

/** Returns a time in `timeZone` with its year, such as `28 February 2026 at 2:05 pm GMT+8`. */
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
  return text.replace(/\[([^[\]]*)\]/, '$1');
}

function getOrCreate<T>(cache: Map<string, T>, key: string, create: () => T): T {
  const value = cache.get(key) ?? create();
  cache.set(key, value);
  return value;
}
