import { convert } from '../kit/convert.ts';
import { type CurrencyCode, minorDigits, minorPerMajor } from '../kit/currency.ts';
import type { Decimal } from '../kit/decimal.ts';
import { DomainError } from '../kit/errors.ts';
import { type Money, toDecimal } from '../kit/money.ts';
import { type PaymentMethod, paymentMethods } from './catalogue.ts';

/** What of a method decides on an amount; `min` and `max` may be a merchant's own. */
export type PayableMethod = Pick<PaymentMethod, 'name' | 'currency' | 'payableUnit' | 'min' | 'max'>;

/** The amount field of a payment code (54) holds 13 characters. */
const amountLengthMax = 13;

/** Currencies in which nobody pays fractions, whatever ISO 4217 says of their minor units. */
const wholeCurrencies = new Set(
  Object.values(paymentMethods)
    .filter(({ payableUnit }) => payableUnit === 'whole')
    .map(({ currency }) => currency),
);

/** The digits in which an amount of a currency can be paid. */
export function payableDigits(currency: CurrencyCode): number {
  return wholeCurrencies.has(currency) ? 0 : minorDigits(currency);
}

/** Whether an amount of the method's currency is one that can be paid: whole units where it knows no others. */
export function isPayable(money: Money, method: Pick<PaymentMethod, 'payableUnit'>): boolean {
  return method.payableUnit === 'minor' || money.minor % minorPerMajor(money.currency) === 0n;
}

/**
 * What the customer pays: `merchantAmount` × `rate` (units of the method's currency for one of the merchant's), rounded
 * half up to the method's payable unit. Zero, or outside the method's limits: `amount_out_of_range`.
 */
export function payableAmount(merchantAmount: Money, rate: Decimal, method: PayableMethod): Money {
  const digits = method.payableUnit === 'whole' ? 0 : minorDigits(method.currency);
  const amount = convert(merchantAmount, rate, method.currency, digits);
  const { minor } = amount;
  if (
    minor <= 0n ||
    minor < method.min.minor ||
    minor > method.max.minor ||
    toDecimal(amount).length > amountLengthMax
  ) {
    throw new DomainError(
      'amount_out_of_range',
      `${method.name} accepts ${toDecimal(method.min)} to ${toDecimal(method.max)} ${method.currency} in one payment; this payment would be ${toDecimal(amount)}`,
    );
  }
  return amount;
}
