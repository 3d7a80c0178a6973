import type { Decimal } from '../kit/decimal.ts';
import { type Money, toDecimal } from '../kit/money.ts';
import { getPayableDigits } from '../method/payable-amount.ts';
import { type Html, type HtmlValue, html } from './html.ts';
import type { PageI18n } from './i18n.ts';

/** Returns the amount as payment apps accept it, such as `128.50` or `250000`: without grouping separators. */
export function plainAmount(money: Money): string {
  const text = toDecimal(money);
  return getPayableDigits(money.currency) === 0 ? text.replace(/\.0+$/, '') : text;
}

/**
 * Returns `$1,128.50 HKD` in the format of the reader's region. The code is included because many currencies
 * use `$`.
 */
export function amountText(i18n: PageI18n, money: Money): string {
  return `${symbolAmount(i18n, money)} ${money.currency}`;
}

export function amount(i18n: PageI18n, money: Money): Html {
  return html`<span class="amount">${symbolAmount(i18n, money)} <abbr>${money.currency}</abbr></span>`;
}

/** Passes the decimal to `Intl` as text, because a float would lose digits. */
function symbolAmount(i18n: PageI18n, money: Money): string {
  const text = plainAmount(money) as Intl.StringNumericLiteral;
  const digits = text.split('.')[1]?.length ?? 0;
  return new Intl.NumberFormat(i18n.locale, {
    style: 'currency',
    currency: money.currency,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
    .format(text)
    .replace(/\s/g, ' ');
}

/** Returns the rate, rounded to six significant digits. */
export function rateText(i18n: PageI18n, rate: Decimal): string {
  const text = rate.toFixed() as Intl.StringNumericLiteral;
  return new Intl.NumberFormat(i18n.locale, { maximumSignificantDigits: 6 }).format(text);
}

/** Renders a time in `timeZone`. The page's script converts it to the reader's own time zone. */
export function dateTime(i18n: PageI18n, time: Date, timeZone: string): Html {
  const text = new Intl.DateTimeFormat(i18n.locale, {
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  }).format(time);
  return html`<time datetime="${time.toISOString()}" data-moment>${text}</time>`;
}

export function regionName(i18n: PageI18n, region: string): string {
  return new Intl.DisplayNames([i18n.locale], { type: 'region', style: 'short' }).of(region) ?? region;
}

const placeholder = /\{(\w+)\}/;

/** Fills the `{placeholders}` of a text. Throws if a value is missing, which is a bug of the caller. */
export function fill(text: string, values: Record<string, HtmlValue>): Html {
  const parts = text.split(placeholder);
  return html`${parts.map((part, i) => (i % 2 === 0 ? part : requireValue(values, part)))}`;
}

/** Does the same as {@link fill} for plain text, such as titles and labels. */
export function fillText(text: string, values: Record<string, string>): string {
  const parts = text.split(placeholder);
  return parts.map((part, i) => (i % 2 === 0 ? part : requireValue(values, part))).join('');
}

function requireValue<T>(values: Record<string, T>, name: string): T {
  const value = values[name];
  if (value === undefined) throw new Error(`the string has no value for {${name}}`);
  return value;
}

/** Returns `a•••@example.com`, by which customers can recognize their own address. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${[...email][0]}•••${email.slice(at)}`;
}

/** Returns `•••• 67` with the last two digits. */
export function maskPhone(phone: string): string {
  return `•••• ${phone.slice(-2)}`;
}
