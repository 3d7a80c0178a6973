import { Decimal } from '../../../kit/decimal.ts';

/** Equal amounts of a currency and of the common base. */
export type Ratio = { rate: Decimal; baseRate: Decimal };

/** The rate of a currency in the common base according to one feed. */
export type Quote = Ratio & { currency: string; source: string; asOf: Date; fetchedAt: Date };

/** Rates are rounded half up to this many significant digits before any multiplication. */
const significantDigits = 10;
/**
 * A charge stores this many decimals of its rate, so a tiny rate loses digits here rather than when it is
 * stored.
 */
const decimalsMax = 15;

/**
 * Wide enough for the exact product of four stored decimals, and so that a quotient never rounds onto an exact
 * half.
 */
const WideDecimal = Decimal.clone({ precision: 320 });

/**
 * Returns the units of `to` for one unit of `from`, times one plus the markup; rounded once. Zero if the rate
 * is too small to represent.
 */
export function crossRate(from: Ratio, to: Ratio, markup: Decimal): Decimal {
  const numerator = new WideDecimal(to.rate).mul(from.baseRate).mul(new WideDecimal(1).add(markup));
  const exact = numerator.div(new WideDecimal(to.baseRate).mul(from.rate));
  const isTiny = exact.e < significantDigits - decimalsMax - 1;
  const rounded = isTiny
    ? exact.toDecimalPlaces(decimalsMax, WideDecimal.ROUND_HALF_UP)
    : exact.toSignificantDigits(significantDigits, WideDecimal.ROUND_HALF_UP);
  return new Decimal(rounded);
}
