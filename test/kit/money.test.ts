import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { minorDigits } from '../../src/kit/currency.ts';
import { decimalToMinor, parseMoney, toDecimal, toJsonNumber } from '../../src/kit/money.ts';

const currency = fc.constantFrom('HKD', 'IDR', 'KRW', 'VND', 'USD', 'KWD');
const limit = 10n ** 12n;

/** Any amount the interface allows: above zero, below 10^12 major units. */
const money = currency.chain((code) =>
  fc
    .bigInt({ min: 1n, max: limit * 10n ** BigInt(minorDigits(code)) - 1n })
    .map((minor) => ({ minor, currency: code })),
);

describe('an amount', () => {
  test('survives its decimal string and back, exactly', () => {
    fc.assert(
      fc.property(money, (amount) => {
        expect(parseMoney(toDecimal(amount), amount.currency, '/amount')).toEqual(amount);
      }),
    );
  });

  test('survives its JSON number and back, exactly', () => {
    fc.assert(
      fc.property(money, (amount) => {
        const wire = JSON.parse(JSON.stringify(toJsonNumber(amount))) as number;
        expect(parseMoney(wire, amount.currency, '/amount')).toEqual(amount);
      }),
    );
  });

  test.each([
    [128.5, 'HKD', 12850n],
    [0.1 + 0.2, 'HKD', 30n],
    [1.005, 'KWD', 1005n],
    [12.3400000005, 'HKD', 1234n],
    [15000, 'IDR', 1500000n],
    [15000, 'KRW', 15000n],
    ['12.50', 'SGD', 1250n],
    ['12.500', 'SGD', 1250n],
  ])('%s %s is %s minor units', (value, code, minor) => {
    expect(parseMoney(value, code, '/amount').minor).toBe(minor);
  });

  test.each([
    [1.234, 'HKD'],
    [12.34000001, 'HKD'],
    [0, 'HKD'],
    [-1, 'HKD'],
    [1e12, 'HKD'],
    [Number.NaN, 'HKD'],
    [Number.POSITIVE_INFINITY, 'HKD'],
    [10.5, 'KRW'],
    ['1e3', 'HKD'],
    ['1,000', 'HKD'],
    ['', 'HKD'],
    [' 1', 'HKD'],
    ['0x10', 'HKD'],
  ])('%s %s is refused, naming the place', (value, code) => {
    expect(() => parseMoney(value, code, '/amount')).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        inputErrors: [expect.objectContaining({ path: '/amount' })],
      }),
    );
  });

  test('of an unknown currency is refused as such', () => {
    expect(() => parseMoney(1, 'XXX', '/amount')).toThrow(
      expect.objectContaining({ code: 'currency_unsupported' }),
    );
  });

  test('below zero prints and reads with its sign', () => {
    expect(toDecimal({ minor: -5n, currency: 'HKD' })).toBe('-0.05');
    expect(decimalToMinor('-0.05', 'HKD')).toBe(-5n);
  });
});
