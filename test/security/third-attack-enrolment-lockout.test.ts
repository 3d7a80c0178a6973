import { expect, test } from 'vitest';
import { createSubscriptionLink } from '../../src/domain/billing/subscription/create-subscription-link.ts';
import { enrolmentUrl } from '../../src/domain/billing/subscription/customer-pages.ts';
import { toPath } from '../../src/pages/to-path.ts';
import { setupApp } from '../setup/app.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { createPageVisitor } from '../setup/page-visitor.ts';
import { day, minutesAfter, seedMerchant } from '../setup/seed.ts';
import { seedPlan } from '../setup/subscriptions.ts';

const onCleanup = cleanupAfterFile();

/** Third penetration test: an attacker who knows an email must not keep its owner from enrolling. */

const start = day('2026-01-31');
const clock = createFakeClock(start);
const { app, context } = await setupApp(onCleanup, { clock });
const { service } = context;
const email = 'victim@example.org';

async function makeLink(input = {}): Promise<string> {
  const shop = await seedMerchant(service, {}, start);
  const plan = await seedPlan(service, shop, { input, now: start });
  const link = await createSubscriptionLink(service, {
    ...{ merchant: shop.merchant, mode: plan.mode, now: start },
    input: { subscriptionPlanId: plan.id },
  });
  return toPath(enrolmentUrl(service, link));
}

async function enrol(path: string, address: string): Promise<number> {
  return (await createPageVisitor(app, address).post(path, { method: 'fps', email })).status;
}

test.each([
  ['a plan with a first payment', {}],
  ['a free trial', { initialPayment: { amount: 0, period: 'days' as const, count: 14 } }],
])('five enrolments of %s from one network do not lock out another network', async (_name, input) => {
  clock.set(start);
  const path = await makeLink(input);
  const attacker = (n: number) => `2001:db8:1:2::${n}`;
  for (let n = 1; n <= 5; n++) expect(await enrol(path, attacker(n))).toBe(303);
  expect(await enrol(path, attacker(6))).toBe(429);
  expect(await enrol(path, '203.0.113.5')).toBe(303);
  expect(await enrol(path, attacker(7))).toBe(429);
  clock.set(minutesAfter(start, 60));
  expect(await enrol(path, attacker(8))).toBe(303);
});

test('concurrent enrolments from one network never exceed the limit', async () => {
  clock.set(start);
  const path = await makeLink();
  const results = await Promise.all(Array.from({ length: 12 }, () => enrol(path, '203.0.113.9')));
  expect(results.sort()).toEqual([...Array(5).fill(303), ...Array(7).fill(429)]);
});
