import fc from 'fast-check';
import { expect, test } from 'vitest';
import { crossRate } from '../../../src/domain/platform/forex/cross-rate.ts';
import { convert } from '../../../src/kit/convert.ts';
import { Decimal } from '../../../src/kit/decimal.ts';
import { count } from '../../setup/counts.ts';

/** Compares decimals with fractions of integers. */

type Fraction = { over: bigint; under: bigint };

/** Parses a decimal such as `12.5` or `2e-9`. */
function parseFraction(text: string): Fraction {
  const [mantissa = '', exponent = '0'] = new Decimal(text).toExponential().split('e');
  const [integer, decimals = ''] = mantissa.split('.');
  const shift = Number(exponent) - decimals.length;
  const digits = BigInt(integer + decimals);
  return shift < 0
    ? { over: digits, under: 10n ** BigInt(-shift) }
    : { over: digits * 10n ** BigInt(shift), under: 1n };
}

const multiply = (a: Fraction, b: Fraction): Fraction => ({
  over: a.over * b.over,
  under: a.under * b.under,
});
const divide = (a: Fraction, b: Fraction): Fraction => ({ over: a.over * b.under, under: a.under * b.over });
const add = (a: Fraction, b: Fraction): Fraction => ({
  over: a.over * b.under + b.over * a.under,
  under: a.under * b.under,
});

/** Rounds half up to a number of decimals, which may be negative, and returns an integer of that unit. */
function roundHalfUp({ over, under }: Fraction, decimals: number): bigint {
  const scaled = decimals >= 0 ? over * 10n ** BigInt(decimals) : over;
  const divisor = decimals >= 0 ? under : under * 10n ** BigInt(-decimals);
  return (2n * scaled + divisor) / (2n * divisor);
}

/** Returns the number of decimals for ten significant digits, at most fifteen. */
function countDecimals({ over, under }: Fraction): number {
  let decimals = 15;
  while (decimals > -60 && roundHalfUp({ over, under }, decimals) >= 10n ** 10n) {
    // A number that rounding extends to eleven digits has ten digits before.
    const floor =
      decimals >= 0 ? (over * 10n ** BigInt(decimals)) / under : over / (under * 10n ** BigInt(-decimals));
    if (floor < 10n ** 10n) break;
    decimals -= 1;
  }
  return decimals;
}

function text(units: bigint, decimals: number): string {
  return new Decimal(units.toString()).mul(new Decimal(10).pow(-decimals)).toFixed();
}

const rate = fc
  .tuple(fc.bigInt(1n, 10n ** 18n), fc.integer({ min: 0, max: 24 }))
  .map(([digits, decimals]) => new Decimal(digits.toString()).mul(new Decimal(10).pow(-decimals)))
  .filter((value) => value.gte('1e-9') && value.lte('1e12'));
const ratio = fc.record({ rate, baseRate: rate });
const markup = fc.integer({ min: 0, max: 1000 }).map((steps) => new Decimal(steps).div(10_000));

test('a cross rate is the exact quotient with its markup, rounded half up once, to ten digits and fifteen decimals', () => {
  fc.assert(
    fc.property(ratio, ratio, markup, (from, to, added) => {
      const numerator = multiply(parseFraction(to.rate.toFixed()), parseFraction(from.baseRate.toFixed()));
      const divisor = multiply(parseFraction(to.baseRate.toFixed()), parseFraction(from.rate.toFixed()));
      const exact = divide(
        multiply(numerator, add(parseFraction('1'), parseFraction(added.toFixed()))),
        divisor,
      );
      const decimals = countDecimals(exact);
      expect(crossRate(from, to, added).toFixed()).toBe(text(roundHalfUp(exact, decimals), decimals));
    }),
    { numRuns: count(500, 20_000) },
  );
});

test('a cross rate is rounded correctly when it is very close to a half', () => {
  const sameRate = { rate: new Decimal(1), baseRate: new Decimal(1) };
  const none = new Decimal(0);
  const cross = (units: string) =>
    crossRate(sameRate, { ...sameRate, rate: new Decimal(units) }, none).toFixed();
  expect(cross('1.0000000005')).toBe('1.000000001');
  expect(cross('1.000000000499999999999999999999')).toBe('1');
  const hair = new Decimal('1.000000000000000000000000000001');
  const below = crossRate(
    { rate: hair, baseRate: sameRate.rate },
    { ...sameRate, rate: new Decimal('1.0000000005') },
    none,
  );
  expect(below.toFixed()).toBe('1');
});

test('a cross rate does not depend on the base of the feed', () => {
  fc.assert(
    fc.property(rate, rate, rate, (from, to, base) => {
      const none = new Decimal(0);
      const direct = crossRate(
        { rate: from, baseRate: new Decimal(1) },
        { rate: to, baseRate: new Decimal(1) },
        none,
      );
      const crossed = crossRate({ rate: from, baseRate: base }, { rate: to, baseRate: base }, none);
      expect(crossed.toFixed()).toBe(direct.toFixed());
    }),
    { numRuns: count(500, 20_000) },
  );
});

test('a conversion is the exact product, rounded half up to a payable amount', () => {
  const currencyDigits = { USD: 2, KRW: 0, KWD: 3, IDR: 2 };
  const currency = fc.constantFrom(...(Object.keys(currencyDigits) as (keyof typeof currencyDigits)[]));
  const tenDigits = rate.map((value) => value.toSignificantDigits(10));
  fc.assert(
    fc.property(fc.bigInt(1n, 10n ** 14n), currency, currency, tenDigits, (minor, from, to, value) => {
      const major = { over: minor, under: 10n ** BigInt(currencyDigits[from]) };
      const exact = multiply(major, parseFraction(value.toFixed()));
      expect(convert({ minor, currency: from }, value, to).minor).toBe(
        roundHalfUp(exact, currencyDigits[to]),
      );
      const wholeAmount = convert({ minor, currency: from }, value, to, 0).minor;
      expect(wholeAmount).toBe(roundHalfUp(exact, 0) * 10n ** BigInt(currencyDigits[to]));
    }),
    { numRuns: count(500, 20_000) },
  );
});
