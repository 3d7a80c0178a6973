import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  isNegative,
  isZero,
  sumDecimals,
  toFieldAmount,
  zeroDecimalCurrencies,
} from '../../src/dashboard/format/amount.ts';
import { minorDigits } from '../../src/kit/currency.ts';
import { decimalToMinor, toDecimal } from '../../src/kit/money.ts';
import { paymentMethods } from '../../src/method/catalogue.ts';

/** What the dashboard does with amounts, which come as decimals and go as such. */

test('an amount in a currency that nobody pays in fractions is written without them, as on the customer’s page', () => {
  for (const { currency, payableUnit } of Object.values(paymentMethods)) {
    const decimal = toDecimal({ minor: 10n ** BigInt(minorDigits(currency) + 2), currency });
    expect([currency, toFieldAmount(decimal, currency)]).toEqual([
      currency,
      payableUnit === 'whole' ? '100' : decimal,
    ]);
  }
});

test('no other currency is written without its fractions', () => {
  const whole = Object.values(paymentMethods).filter(({ payableUnit }) => payableUnit === 'whole');
  expect(zeroDecimalCurrencies).toEqual(new Set(whole.map(({ currency }) => currency)));
});

test('amounts of one currency are added up exactly', () => {
  fc.assert(
    fc.property(fc.array(fc.bigInt({ min: 0n, max: 10n ** 15n }), { maxLength: 8 }), (minors) => {
      const sum = sumDecimals(minors.map((minor) => toDecimal({ minor, currency: 'HKD' })));
      const total = minors.reduce((one, other) => one + other, 0n);
      expect(decimalToMinor(sum, 'HKD')).toBe(total);
    }),
  );
});

test('nothing is nothing, however it is written', () => {
  expect(['0', '0.00', '-0.00'].map((decimal) => [isZero(decimal), isNegative(decimal)])).toEqual(
    Array(3).fill([true, false]),
  );
  expect(isNegative('-0.01')).toBe(true);
});
