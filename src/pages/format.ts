import type { Decimal } from '../kit/decimal.ts';
import type { Money } from '../kit/money.ts';
import { requireValue, splitPlaceholders } from '../language/fill-text.ts';
import { formatMoney, formatTime } from '../language/format.ts';
import { type Html, type HtmlValue, html } from './html.ts';
import type { PageI18n } from './i18n.ts';

/** Returns an amount such as `HK$1,128.50` in the format of the reader's region. */
export function amountText(i18n: PageI18n, money: Money): string {
  return formatMoney(i18n.locale, money);
}

export function amount(i18n: PageI18n, money: Money): Html {
  return html`<span class="amount">${amountText(i18n, money)}</span>`;
}

/** Rounds the rate to six significant digits. */
export function rateText(i18n: PageI18n, rate: Decimal): string {
  const text = rate.toFixed() as Intl.StringNumericLiteral;
  return new Intl.NumberFormat(i18n.locale, { maximumSignificantDigits: 6 }).format(text);
}

export function dateTimeText(i18n: PageI18n, time: Date, timeZone: string): string {
  return formatTime(i18n.locale, time, { day: 'numeric', month: 'short', timeZone });
}

/** Renders a time in `timeZone`. The page's script converts it to the reader's own time zone. */
export function dateTime(i18n: PageI18n, time: Date, timeZone: string): Html {
  const text = dateTimeText(i18n, time, timeZone);
  return html`<time datetime="${time.toISOString()}" data-moment>${text}</time>`;
}

export function regionName(i18n: PageI18n, region: string): string {
  return new Intl.DisplayNames([i18n.locale], { type: 'region', style: 'short' }).of(region) ?? region;
}

/** Fills the `{placeholders}` of a text. Throws if a value is missing. */
export function fill(text: string, values: Record<string, HtmlValue>): Html {
  return html`${splitPlaceholders(text).map((part, i) => (i % 2 === 0 ? part : requireValue(values, part)))}`;
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
