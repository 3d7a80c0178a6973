import { type Money, toDecimal } from '../kit/money.ts';
import type { MessageLanguage } from './language.ts';

/** Formats an amount for readers of the language. Uses the currency code, because symbols are ambiguous. */
export function amountText(language: MessageLanguage, money: Money): string {
  const { currency } = money;
  const text = toDecimal(money) as Intl.StringNumericLiteral;
  return getFormat(language, currency).format(text);
}

/** Formats are cached, because creating one takes longer than rendering the rest of an email. */
const formatCache = new Map<string, Intl.NumberFormat>();

function getFormat(language: MessageLanguage, currency: string): Intl.NumberFormat {
  const key = `${language} ${currency}`;
  const format =
    formatCache.get(key) ??
    new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay: 'code' });
  formatCache.set(key, format);
  return format;
}
