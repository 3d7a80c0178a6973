import { Decimal } from '../../../kit/decimal.ts';

/** `rate` units of a currency equal `baseRate` units of the common base. */
type Ratio = { rate: Decimal; baseRate: Decimal };

/** The rate of a currency in the common base according to one feed. */
export type Quote = Ratio & { currency: string; source: string; asOf: Date; updatedAt: Date };

/** Rates are rounded half up to this many significant digits before any multiplication. */
const significantDigits = 10;
/**
 * The number of decimals that a charge stores. A tiny rate is rounded to this number here, so that the charge
 * stores exactly the rate that was applied.
 */
const rateDecimalsMax = 15;

/**
 * The precision is enough to multiply four stored decimals exactly, and to keep a quotient from being rounded
 * to an exact half.
 */
const WideDecimal = Decimal.clone({ precision: 320 });

/**
 * Returns the units of `to` for one unit of `from`, times one plus the markup, rounded only once. Returns
 * zero if the rate is too small to represent.
 */
export function crossRate(from: Ratio, to: Ratio, markup: Decimal): Decimal {
  const numerator = new WideDecimal(to.rate).mul(from.baseRate).mul(new WideDecimal(1).add(markup));
  const exact = numerator.div(new WideDecimal(to.baseRate).mul(from.rate));
  const isTiny = exact.e < significantDigits - rateDecimalsMax - 1;
  const rounded = isTiny
    ? exact.toDecimalPlaces(rateDecimalsMax, WideDecimal.ROUND_HALF_UP)
    : exact.toSignificantDigits(significantDigits, WideDecimal.ROUND_HALF_UP);
  return new Decimal(rounded);
}
