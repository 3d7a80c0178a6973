import { type CurrencyCode, minorDigits } from './currency.ts';
import { Decimal } from './decimal.ts';
import type { Money } from './money.ts';

/**
 * Returns `money × rate` in another currency, rounded half up to `digits` decimals (default: the ISO minor
 * unit).
 */
export function convert(money: Money, rate: Decimal, to: CurrencyCode, digits = minorDigits(to)): Money {
  const shift = digits - minorDigits(money.currency);
  const units = new Decimal(money.minor.toString()).mul(rate).mul(new Decimal(10).pow(shift));
  const rounded = BigInt(units.toFixed(0, Decimal.ROUND_HALF_UP));
  return { minor: rounded * 10n ** BigInt(minorDigits(to) - digits), currency: to };
}
