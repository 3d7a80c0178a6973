import { expect, test } from 'vitest';
import { advanceTestClock } from '../../src/domain/operations/test-clock/advance-test-clock.ts';
import { merchantNow } from '../../src/domain/platform/clock/merchant-now.ts';
import { callApi } from '../setup/api.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { setupGraphqlApp } from '../setup/graphql.ts';
import { noon, seedCharge } from '../setup/seed.ts';

const onCleanup = cleanupAfterFile();

/** Finding 10: the test clock ends at 2100, so that no sandbox is moved beyond what dates can hold. */

const clock = createFakeClock(noon);
const app = await setupGraphqlApp(onCleanup, { clock });
const { service } = app.context;
const { merchant } = app.merchant;
const advance = (to: Date) =>
  advanceTestClock(service, { merchantId: merchant.id, mode: 'sandbox', advanceTo: to, clock });

const end = new Date('2100-01-01T00:00:00.000Z');
const decades = [2036, 2046, 2056, 2066, 2076, 2086, 2096].map((year) => new Date(`${year}-11-01T00:00:00Z`));

test('the clock goes to 2100 and not a millisecond beyond, and the error names the limit', async () => {
  for (const to of decades) await advance(to);
  for (const to of [new Date(end.getTime() + 1), new Date('2101-01-01T00:00:00Z')]) {
    await expect(advance(to)).rejects.toMatchObject({
      code: 'invalid_request',
      status: 400,
      inputErrors: [{ path: '/advanceTo', message: 'must be at most 2100-01-01T00:00:00.000Z' }],
    });
  }
  const moved = await advance(end);
  expect(merchantNow(noon, moved, 'sandbox')).toEqual(end);
  await expect(advance(new Date(end.getTime() + 1))).rejects.toMatchObject({ code: 'invalid_request' });
});

test('at its end the sandbox still works', async () => {
  const keys = app.merchant.keys.sandbox;
  const session = await callApi(app.app, {
    keys,
    method: 'POST',
    url: '/sessions',
    body: { amount: 5, currency: 'HKD' },
  });
  expect(session.status).toBe(201);
  const charge = await seedCharge(service, app.merchant, { mode: 'sandbox', now: end });
  const read = await callApi(app.app, { keys, method: 'GET', url: `/charges/${charge.id}` });
  expect(read).toMatchObject({ status: 200, json: { createdAt: '2100-01-01T00:00:00.000Z' } });
});
