import { Decimal } from '../../../kit/decimal.ts';

/** Units of a currency, and of the common base, that are worth the same. */
export type Ratio = { rate: Decimal; baseRate: Decimal };

/** What a currency is worth in the common base, by one feed. */
export type Quote = Ratio & { currency: string; source: string; asOf: Date; fetchedAt: Date };

/** Rates have at most this many significant digits, rounded half up before anything is multiplied. */
const significantDigits = 10;
/** A charge keeps so many decimals of its rate; a tiny rate has fewer digits instead of another value there. */
const decimalsMax = 15;

/** So wide that the product of four stored decimals is exact, and their quotient never rounds onto a half by itself. */
const WideDecimal = Decimal.clone({ precision: 320 });

/** Units of `to` for one unit of `from`, times one plus the markup; rounded once. Zero where it is too small to write. */
export function crossRate(from: Ratio, to: Ratio, markup: Decimal): Decimal {
  const numerator = new WideDecimal(to.rate).mul(from.baseRate).mul(new WideDecimal(1).add(markup));
  const exact = numerator.div(new WideDecimal(to.baseRate).mul(from.rate));
  const isTiny = exact.e < significantDigits - decimalsMax - 1;
  const rounded = isTiny
    ? exact.toDecimalPlaces(decimalsMax, WideDecimal.ROUND_HALF_UP)
    : exact.toSignificantDigits(significantDigits, WideDecimal.ROUND_HALF_UP);
  return new Decimal(rounded);
}
