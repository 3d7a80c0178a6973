import { type Money, toDecimal } from '../kit/money.ts';
import type { MessageLanguage } from './language.ts';

/** An amount as readers of the language write it, with the code of its currency, since a sign may mean several. */
export function amountText(language: MessageLanguage, money: Money): string {
  const { currency } = money;
  const text = toDecimal(money) as Intl.StringNumericLiteral;
  return new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay: 'code' }).format(
    text,
  );
}
