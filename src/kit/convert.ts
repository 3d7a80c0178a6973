import { type CurrencyCode, getMinorDigits } from './currency.ts';
import { Decimal } from './decimal.ts';
import type { Money } from './money.ts';

/**
 * Returns `money × rate` in another currency, rounded half up to `digits` decimals (by default, those of the currency's
 * minor unit).
 */
export function convert(money: Money, rate: Decimal, to: CurrencyCode, digits = getMinorDigits(to)): Money {
  const shift = digits - getMinorDigits(money.currency);
  const units = new Decimal(money.minor.toString()).mul(rate).mul(new Decimal(10).pow(shift));
  const rounded = BigInt(units.toFixed(0, Decimal.ROUND_HALF_UP));
  return { minor: rounded * 10n ** BigInt(getMinorDigits(to) - digits), currency: to };
}
