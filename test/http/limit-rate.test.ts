import { expect, test } from 'vitest';
import { createRateLimiter } from '../../src/kit/rate-limiter.ts';
import { callApi } from '../setup/api.ts';
import { setupApp } from '../setup/app.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { seedMerchant } from '../setup/seed.ts';

const onCleanup = cleanupAfterFile();

test('a key that asks too often is told when to come back; others are not concerned', async () => {
  const { app, context } = await setupApp(onCleanup, { limiter: createRateLimiter(1) });
  const [one, other] = [await seedMerchant(context.service), await seedMerchant(context.service)];
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
