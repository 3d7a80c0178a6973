import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { getMinorDigits } from '../../src/kit/currency.ts';
import {
  deriveRandomPart,
  getIdType,
  getLowestId,
  idPrefixes,
  newDerivedId,
  newEventId,
  newId,
} from '../../src/kit/id.ts';
import { decimalToMinor, parseMoney, toDecimal, toJsonNumber } from '../../src/kit/money.ts';
import { readRandomBytes } from '../../src/kit/random.ts';
import { createRateLimiter, type RateLimiter } from '../../src/kit/rate-limiter.ts';

describe('Money', () => {
  const currency = fc.constantFrom('HKD', 'IDR', 'KRW', 'VND', 'USD', 'KWD');
  const limit = 10n ** 12n;

  /** Any amount that the interface allows: above zero and below 10^12 major units. */
  const money = currency.chain((code) =>
    fc
      .bigInt({ min: 1n, max: limit * 10n ** BigInt(getMinorDigits(code)) - 1n })
      .map((minor) => ({ minor, currency: code })),
  );

  describe('an amount', () => {
    test('is exact after conversion to a decimal string and back', () => {
      fc.assert(
        fc.property(money, (amount) => {
          expect(parseMoney(toDecimal(amount), amount.currency, '/amount')).toEqual(amount);
        }),
      );
    });

    test('is exact after conversion to a JSON number and back', () => {
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
    ])('%s %s is rejected with its path', (value, code) => {
      expect(() => parseMoney(value, code, '/amount')).toThrow(
        expect.objectContaining({
          code: 'invalid_request',
          inputErrors: [expect.objectContaining({ path: '/amount' })],
        }),
      );
    });

    test('of an unknown currency is rejected with that code', () => {
      expect(() => parseMoney(1, 'XXX', '/amount')).toThrow(
        expect.objectContaining({ code: 'currency_unsupported' }),
      );
    });

    test('below zero is written and read with its sign', () => {
      expect(toDecimal({ minor: -5n, currency: 'HKD' })).toBe('-0.05');
      expect(decimalToMinor('-0.05', 'HKD')).toBe(-5n);
    });
  });
});

describe('Ids', () => {
  const now = new Date('2026-11-17T12:00:00.000Z');

  describe('an id', () => {
    test('sorts by time', () => {
      const ids = Array.from({ length: 500 }, (_, i) => newId('charge', new Date(now.getTime() + i * 977)));
      expect([...ids].sort()).toEqual(ids);
    });

    test('sorts after the bound of every earlier time, and before that of every later one', () => {
      const id = newId('charge', now);
      for (const before of ['0001-01-01T00:00:00Z', '1969-12-31T23:59:59.999Z', '2026-11-17T12:00:00.000Z'])
        expect(getLowestId('charge', new Date(before)) <= id, before).toBe(true);
      for (const later of ['2026-11-17T12:00:00.001Z', '9999-12-31T23:59:59.999Z', '+275760-09-13T00:00:00Z'])
        expect(getLowestId('charge', new Date(later)) > id, later).toBe(true);
    });

    test('has 80 random bits, or 130 if it gives access to a page', () => {
      expect(newId('charge', now)).toMatch(/^ch_[0-9a-hjkmnp-tv-z]{26}$/);
      expect(newId('session', now)).toMatch(/^ses_[0-9a-hjkmnp-tv-z]{36}$/);
      expect(newId('checkoutLink', now)).toMatch(/^lnk_[0-9a-hjkmnp-tv-z]{36}$/);
    });

    test('is unique within a millisecond', () => {
      expect(new Set(Array.from({ length: 10_000 }, () => newId('charge', now))).size).toBe(10_000);
    });

    test('of a secret can be derived from its random part', () => {
      const drawn = deriveRandomPart('a form’s token');
      expect(newDerivedId('subscription', now, drawn)).toMatch(new RegExp(`^sub_[0-9a-z]{10}${drawn}$`));
      expect(drawn).toMatch(/^[0-9a-hjkmnp-tv-z]{16}$/);
      expect(deriveRandomPart('a form’s token')).toBe(drawn);
      expect(deriveRandomPart('another one’s')).not.toBe(drawn);
    });

    test('of an event keeps the order of one change', () => {
      const ids = Array.from({ length: 3_000 }, () => newEventId(now));
      expect([...ids].sort()).toEqual(ids);
    });

    test('begins with the stable prefix of its noun', () => {
      expect(idPrefixes).toMatchObject({
        ...{
          charge: 'ch',
          refund: 're',
          session: 'ses',
          checkoutLink: 'lnk',
          plan: 'pl',
          subscription: 'sub',
        },
        ...{ invoice: 'in', customer: 'cus', transfer: 'tr', allocation: 'al', receivingAccount: 'acc' },
        ...{ statement: 'st', webhook: 'wh', event: 'ev', notification: 'nt', attempt: 'at' },
        ...{ certificate: 'cert', apiKey: 'key', merchant: 'mer', user: 'usr', audit: 'aud' },
      });
    });

    test('identifies its noun by the prefix', () => {
      for (const noun of Object.keys(idPrefixes) as (keyof typeof idPrefixes)[]) {
        expect(getIdType(newId(noun, now))).toBe(noun);
      }
      expect(getIdType('zz_123')).toBeUndefined();
      expect(getIdType('')).toBeUndefined();
    });
  });
});

test('readRandomBytes returns as many bytes as are requested', () => {
  expect([16, 4_097, 10_000, 1].map((length) => readRandomBytes(length).length)).toEqual([
    16, 4_097, 10_000, 1,
  ]);
});

describe('Rate limiter', () => {
  const take = (limiter: RateLimiter, times: number, nowMs: number, key = 'key_1') =>
    Array.from({ length: times }, () => limiter.take(key, nowMs)).filter(({ isAllowed }) => isAllowed).length;

  describe('a limit of 100 a second', () => {
    test('allows a burst of 200, then 100 a second', () => {
      const limiter = createRateLimiter(100)!;
      expect(take(limiter, 300, 0)).toBe(200);
      expect(take(limiter, 300, 500)).toBe(50);
      expect(take(limiter, 300, 1_500)).toBe(100);
      expect(take(limiter, 300, 60_000)).toBe(200);
    });

    test('returns the remaining requests and the time to retry', () => {
      const limiter = createRateLimiter(100)!;
      expect(limiter.take('key_1', 0)).toEqual({
        isAllowed: true,
        limit: 200,
        remaining: 199,
        resetSeconds: 1,
        retryAfterSeconds: 0,
      });
      take(limiter, 199, 0);
      expect(limiter.take('key_1', 0)).toEqual({
        isAllowed: false,
        limit: 200,
        remaining: 0,
        resetSeconds: 2,
        retryAfterSeconds: 1,
      });
    });

    test('subtracts the cost of a request, at most a burst', () => {
      const limiter = createRateLimiter(100)!;
      expect(limiter.take('key_1', 0, 150)).toMatchObject({ isAllowed: true, remaining: 50 });
      const rejected = limiter.take('key_1', 0, 150);
      expect(rejected).toMatchObject({ isAllowed: false, remaining: 50, retryAfterSeconds: 1 });
      expect(limiter.take('key_2', 0, 1_000)).toMatchObject({ isAllowed: true, remaining: 0 });
    });

    test('is separate for each key', () => {
      const limiter = createRateLimiter(100)!;
      take(limiter, 300, 0, 'key_1');
      expect(take(limiter, 300, 0, 'key_2')).toBe(200);
    });

    test('is not refilled when the clock goes backwards', () => {
      const limiter = createRateLimiter(100)!;
      take(limiter, 200, 10_000);
      expect(take(limiter, 10, 5_000)).toBe(0);
    });
  });

  test('a limit of 0 disables it', () => {
    expect(createRateLimiter(0)).toBeUndefined();
  });
});
