import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { SubscriptionPlan } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { cancelSubscription } from '../../src/domain/billing/subscription/cancel-subscription.ts';
import { renewSubscriptions } from '../../src/domain/billing/subscription/renew-subscriptions.ts';
import { newId } from '../../src/kit/id.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { type GraphqlApp, setupGraphqlApp } from '../setup/graphql.ts';
import { minutesAfter, noon, seedMerchant } from '../setup/seed.ts';
import {
  completeCharge,
  seedActiveSubscription,
  seedPlan,
  seedSubscription,
} from '../setup/subscriptions.ts';

const onCleanup = cleanupAfterFile();

/** What the dashboard shows of subscriptions beside the objects themselves. */

let api: GraphqlApp;
let merchant: NewMerchant;
const dayMinutes = 24 * 60;
const clock = createFakeClock(noon);

beforeAll(async () => {
  api = await setupGraphqlApp(onCleanup, { clock });
  merchant = await seedMerchant(api.context.service);
});

async function figures(as = merchant.keys.live) {
  const { data } = await api.ask(
    '{ subscriptionSummary { activeCount pausedCount dueSoonCount monthlyRecurringRevenue { currency amount } } }',
    { as },
  );
  return data.subscriptionSummary;
}

const recurring = (amount: number, period: 'days' | 'months' | 'years', count: number, currency = 'HKD') => ({
  currency,
  recurringPayment: { amount, period, count },
});

test('counts active and paused, what is due in a week, and the revenue of a month by currency; plans their own', async () => {
  const { service } = api.context;
  expect(await figures()).toEqual({
    activeCount: 0,
    pausedCount: 0,
    dueSoonCount: 0,
    monthlyRecurringRevenue: [],
  });
  const plans = await Promise.all(
    [
      recurring(100, 'months', 1),
      recurring(300, 'months', 3),
      recurring(120, 'years', 1, 'SGD'),
      recurring(7, 'days', 7, 'SGD'),
      { ...recurring(50, 'months', 1), numPayments: 2 },
    ].map((input) => seedPlan(service, merchant, { input })),
  );
  const [monthly, , , , twice] = plans as SubscriptionPlan[];
  let customers = 0;
  const add = (plan: SubscriptionPlan, now = noon) =>
    seedActiveSubscription(service, merchant, { plan, email: `c${customers++}@example.com`, now });
  for (const plan of plans) await add(plan);
  const cancelled = await add(monthly!);
  const owner = { merchantId: merchant.merchant.id, mode: 'live', actor: 'user:test' } as const;
  await cancelSubscription(service, { ...owner, id: cancelled.id, now: noon });
  const paused = await add(monthly!, minutesAfter(noon, -40 * dayMinutes));
  await renewSubscriptions(service, { now: noon });
  await seedSubscription(service, merchant, { plan: monthly!, email: 'unpaid@example.com' });
  const completed = await add(twice!);
  // Its charge completes once more, as the second of its two payments: with that it is over, and counts no more.
  const [charge] = await service.prisma.charge.findMany({ where: { subscriptionId: completed.id } });
  await service.prisma.charge.update({ where: { id: charge!.id }, data: { status: 'pending' } });
  await completeCharge(service, charge!, noon);

  // The week’s plan is due in a week to the minute: not within it yet.
  expect(await figures()).toEqual({
    activeCount: 5,
    pausedCount: 1,
    dueSoonCount: 0,
    // 100 + 300 / 3 + 50; 120 / 12 + 7 / 7 × 30.436875.
    monthlyRecurringRevenue: [
      { currency: 'HKD', amount: '250.00' },
      { currency: 'SGD', amount: '40.44' },
    ],
  });
  clock.set(minutesAfter(noon, 1));
  expect(await figures()).toMatchObject({ dueSoonCount: 1 });
  expect(await figures(merchant.keys.sandbox)).toMatchObject({ activeCount: 0, pausedCount: 0 });

  const { data } = await api.ask(
    'query ($id: ID!) { subscriptionPlan(id: $id) { subscriptionCount activeSubscriptionCount } }',
    { variables: { id: monthly!.id }, as: merchant.keys.live },
  );
  expect(data.subscriptionPlan).toEqual({ subscriptionCount: 4, activeSubscriptionCount: 1 });
  const seen = await api.ask(
    'query ($id: ID!) { subscription(id: $id) { email locale events { type actor } recentInvoices { pdfUrl } } }',
    { variables: { id: paused.id }, as: merchant.keys.live },
  );
  expect(seen.data.subscription).toMatchObject({
    email: 'c6@example.com',
    locale: 'en',
    events: [
      { type: 'subscription_created', actor: 'customer' },
      { type: 'subscription_paid', actor: 'bank' },
      { type: 'subscription_paused', actor: 'job:renew-subscriptions' },
    ],
    recentInvoices: [{ pdfUrl: expect.stringMatching(/\/pay\/invoice\/in_\w+\.[\w-]+\/pdf$/) }],
  });
});

test('the revenue of a month is exact to the minor unit, whatever the plans', async () => {
  const { service } = api.context;
  const own = await seedMerchant(service);
  const plan = await seedPlan(service, own);
  const first = await seedActiveSubscription(service, own, { plan });
  await service.prisma.subscription.update({
    where: { id: first.id },
    data: { status: 'cancelled', nextPayment: null, dueAt: null },
  });
  const terms = fc.record({
    amount: fc.bigInt({ min: 1n, max: 10n ** 13n }),
    period: fc.constantFrom('days', 'months', 'years'),
    count: fc.integer({ min: 1, max: 400 }),
    copies: fc.integer({ min: 1, max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(terms, { minLength: 1, maxLength: 4 }), async (all) => {
      const made: string[] = [];
      for (const { copies, ...term } of all) {
        const id = newId('plan', noon);
        made.push(id);
        await service.prisma.subscriptionPlan.create({ data: { ...plan, orders: [], ...term, id } });
        const row = { ...first, planId: id, status: 'active' as const, nextPayment: noon };
        const rows = Array.from({ length: copies }, () => ({ ...row, id: newId('subscription', noon) }));
        await service.prisma.subscription.createMany({ data: rows });
      }
      const [revenue] = (await figures(own.keys.live)).monthlyRecurringRevenue;
      await service.prisma.subscription.deleteMany({ where: { planId: { in: made } } });
      await service.prisma.subscriptionPlan.deleteMany({ where: { id: { in: made } } });
      // All shares over one denominator, rounded half up once.
      const shares = all.map(({ amount, period, count, copies }) => {
        const [up, down] = { days: [146_097n, 4_800n], months: [1n, 1n], years: [1n, 12n] }[period]!;
        return { up: amount * BigInt(copies) * up!, down: BigInt(count) * down! };
      });
      const down = shares.reduce((product, share) => product * share.down, 1n);
      const up = shares.reduce((sum, share) => sum + (share.up * down) / share.down, 0n);
      const minor = (2n * up + down) / (2n * down);
      expect(revenue.amount.replace('.', '')).toBe(String(minor).padStart(3, '0'));
    }),
    { numRuns: 25 },
  );
});
