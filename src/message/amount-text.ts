import { type Money, toDecimal } from '../kit/money.ts';
import type { MessageLanguage } from './language.ts';

/** An amount as readers of the language write it, with the code of its currency, since a sign may mean several. */
export function amountText(language: MessageLanguage, money: Money): string {
  const { currency } = money;
  const text = toDecimal(money) as Intl.StringNumericLiteral;
  return getFormat(language, currency).format(text);
}

/** Made once each: to make one takes longer than all else about a mail. */
const formats = new Map<string, Intl.NumberFormat>();

function getFormat(language: MessageLanguage, currency: string): Intl.NumberFormat {
  const key = `${language} ${currency}`;
  const format =
    formats.get(key) ??
    new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay: 'code' });
  formats.set(key, format);
  return format;
}
