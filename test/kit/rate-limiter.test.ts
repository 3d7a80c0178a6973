import { describe, expect, test } from 'vitest';
import { createRateLimiter, type RateLimiter } from '../../src/kit/rate-limiter.ts';

const take = (limiter: RateLimiter, times: number, nowMs: number, key = 'key_1') =>
  Array.from({ length: times }, () => limiter.take(key, nowMs)).filter(({ isAllowed }) => isAllowed).length;

describe('a limit of 100 a second', () => {
  test('lets a burst of 200 pass, then 100 a second', () => {
    const limiter = createRateLimiter(100)!;
    expect(take(limiter, 300, 0)).toBe(200);
    expect(take(limiter, 300, 500)).toBe(50);
    expect(take(limiter, 300, 1_500)).toBe(100);
    expect(take(limiter, 300, 60_000)).toBe(200);
  });

  test('tells what is left, and when to come back', () => {
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

  test('counts one that costs more as so many, and never as more than a burst', () => {
    const limiter = createRateLimiter(100)!;
    expect(limiter.take('key_1', 0, 150)).toMatchObject({ isAllowed: true, remaining: 50 });
    const refused = limiter.take('key_1', 0, 150);
    expect(refused).toMatchObject({ isAllowed: false, remaining: 50, retryAfterSeconds: 1 });
    expect(limiter.take('key_2', 0, 1_000)).toMatchObject({ isAllowed: true, remaining: 0 });
  });

  test('counts each key by itself', () => {
    const limiter = createRateLimiter(100)!;
    take(limiter, 300, 0, 'key_1');
    expect(take(limiter, 300, 0, 'key_2')).toBe(200);
  });

  test('is not refilled by a clock that goes back', () => {
    const limiter = createRateLimiter(100)!;
    take(limiter, 200, 10_000);
    expect(take(limiter, 10, 5_000)).toBe(0);
  });
});

test('a limit of 0 is none', () => {
  expect(createRateLimiter(0)).toBeUndefined();
});
