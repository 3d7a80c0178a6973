import { expect, test } from 'vitest';
import { createRateLimiter } from '../../src/kit/rate-limiter.ts';
import { callApi } from '../setup/api.ts';
import { testApp } from '../setup/app.ts';
import { makeMerchant } from '../setup/makers.ts';

test('a key that asks too often is told when to come back; others are not concerned', async () => {
  const { app, context } = await testApp({ limiter: createRateLimiter(1) });
  const [one, other] = [await makeMerchant(context.service), await makeMerchant(context.service)];
  const get = (keys: typeof one.keys.live) => callApi(app, { method: 'GET', url: '/currencies', keys });
  const answers = [await get(one.keys.live), await get(one.keys.live), await get(one.keys.live)];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
  const first = { 'ratelimit-limit': '2', 'ratelimit-remaining': '1', 'ratelimit-reset': '1' };
  expect(answers[0]?.headers).toMatchObject(first);
  expect(answers[2]).toMatchObject({
    json: { code: 'rate_limited' },
    headers: { 'retry-after': '1', 'ratelimit-reset': '2' },
  });
  expect((await get(other.keys.live)).status).toBe(200);
});
