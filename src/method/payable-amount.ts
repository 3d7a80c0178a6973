import { convert } from '../kit/convert.ts';
import { type CurrencyCode, getMinorDigits, getMinorPerMajor } from '../kit/currency.ts';
import type { Decimal } from '../kit/decimal.ts';
import { DomainError } from '../kit/errors.ts';
import { formatMoney, type Money, toDecimal } from '../kit/money.ts';
import { type PaymentMethod, paymentMethods } from './catalog.ts';

/** The properties of a method that determine payable amounts. `min` and `max` may be the merchant's own limits. */
type PayableMethod = Pick<PaymentMethod, 'name' | 'currency' | 'payableUnit' | 'min' | 'max'>;

/** The amount field of a payment code (54) holds 13 characters. */
export const amountLengthMax = 13;

/** Currencies in which customers never pay fractions, although some have minor units in ISO 4217. */
const wholeCurrencies = new Set(
  Object.values(paymentMethods)
    .filter(({ payableUnit }) => payableUnit === 'whole')
    .map(({ currency }) => currency),
);

/** Returns the number of decimal digits in which customers can pay the currency. */
export function getPayableDigits(currency: CurrencyCode): number {
  return wholeCurrencies.has(currency) ? 0 : getMinorDigits(currency);
}

/** Returns whether customers can pay the amount, which is in the method's currency. */
export function isPayable(money: Money, method: Pick<PaymentMethod, 'payableUnit'>): boolean {
  return method.payableUnit === 'minor' || money.minor % getMinorPerMajor(money.currency) === 0n;
}

/** Returns an amount in the method's currency, rounded up to the next amount that customers can pay. */
export function roundUpToPayable(
  { minor, currency }: Money,
  method: Pick<PaymentMethod, 'payableUnit'>,
): Money {
  const unit = method.payableUnit === 'minor' ? 1n : getMinorPerMajor(currency);
  return { minor: ((minor + unit - 1n) / unit) * unit, currency };
}

/**
 * Returns the amount that the customer pays, rounded half up to the method's payable unit. `rate` is in units
 * of the method's currency per unit of the merchant's. Throws `amount_out_of_range` if the amount is zero or
 * outside the method's limits.
 */
export function toPayableAmount(merchantAmount: Money, rate: Decimal, method: PayableMethod): Money {
  const digits = method.payableUnit === 'whole' ? 0 : getMinorDigits(method.currency);
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
      `${method.name} accepts ${toDecimal(method.min)} to ${formatMoney(method.max)} in one payment; this payment would be ${formatMoney(amount)}`,
    );
  }
  return amount;
}
