import { beforeEach, expect, test } from 'vitest';
import { createRateLimiter, type RateLimiter } from '../../src/kit/rate-limiter.ts';
import { setupApp } from '../setup/app.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';

const onCleanup = cleanupAfterFile();

/** Third penetration test: one network cannot ask for customer pages without end. */

let limiter: RateLimiter;
const { app } = await setupApp(onCleanup, {
  // Its time stands still, so that nothing is refilled; each test has a burst of two.
  limiter: { take: (key, _nowMs, cost) => limiter.take(key, 0, cost) },
});
beforeEach(() => {
  limiter = createRateLimiter(1)!;
});

const get = (url: string, remoteAddress: string, accept = 'text/html') =>
  app.inject({ url, remoteAddress, headers: { accept } });

test.each([
  ['/checkout', 'GET'],
  ['/pay/invoice/none', 'GET'],
  ['/pay/enrol/none', 'POST'],
] as const)(
  '%s answers %s requests of one network 429 above the limit, and another network as before',
  async (url, method) => {
    const ask = (remoteAddress: string) => app.inject({ method, url, remoteAddress });
    const before = await ask('2001:db8:1:2::1');
    expect(before.statusCode).not.toBe(429);
    await ask('2001:db8:1:2::2');
    const limited = await ask('2001:db8:1:2::3');
    expect([limited.statusCode, limited.headers['retry-after']]).toEqual([429, '1']);
    expect(limited.body).toContain('Please try again in a minute.');
    expect((await ask('203.0.113.5')).statusCode).toBe(before.statusCode);
  },
);

test('a program gets the limit as problem+json', async () => {
  for (let i = 0; i < 2; i++) await get('/checkout', '203.0.113.9', 'application/json');
  const limited = await get('/checkout', '203.0.113.9', 'application/json');
  expect([limited.statusCode, limited.json().code]).toEqual([429, 'rate_limited']);
});

test('what pages load is not limited', async () => {
  for (let i = 0; i < 5; i++)
    expect((await get('/icons/methods/fps.svg', '203.0.113.10')).statusCode).not.toBe(429);
});
