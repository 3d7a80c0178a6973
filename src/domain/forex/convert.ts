import { type CurrencyCode, minorDigits } from '../../kit/currency.ts';
import { Decimal } from '../../kit/decimal.ts';
import type { Money } from '../../kit/money.ts';

/** Money × rate in another currency, rounded half up to its ISO minor unit. */
export function convert(money: Money, rate: Decimal, to: CurrencyCode): Money {
  const major = new Decimal(money.minor.toString()).div(new Decimal(10).pow(minorDigits(money.currency)));
  const minor = major.mul(rate).mul(new Decimal(10).pow(minorDigits(to)));
  return { minor: BigInt(minor.toFixed(0, Decimal.ROUND_HALF_UP)), currency: to };
}
