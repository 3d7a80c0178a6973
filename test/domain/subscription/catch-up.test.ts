import { expect, test } from 'vitest';
import { renewSubscriptions } from '../../../src/domain/billing/subscription/renew-subscriptions.ts';
import { dayMs } from '../../../src/kit/duration.ts';
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { count } from '../../setup/counts.ts';
import { getEventTypes } from '../../setup/database-state.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { seedMerchant } from '../../setup/seed.ts';
import { setupService } from '../../setup/service.ts';
import {
  copySubscription,
  readSubscription,
  seedActiveSubscription,
  seedPlan,
} from '../../setup/subscriptions.ts';

const onCleanup = cleanupAfterFile();

const service = await setupService(onCleanup);
const start = new Date('2026-01-01T12:00:00.000Z');
const daysLater = (days: number) => new Date(start.getTime() + days * dayMs);

/** Active subscriptions to three plans, begun on days of their own; all but the first of each are copies of its row. */
async function makeMany(howMany: number) {
  const merchant = await seedMerchant(service, {}, start);
  for (const [i, days] of [7, 14, 30].entries()) {
    const recurringPayment = { amount: 100, period: 'days', count: days };
    const plan = await seedPlan(service, merchant, { input: { recurringPayment }, now: start });
    const first = await seedActiveSubscription(service, merchant, {
      plan,
      email: `m${i}@example.com`,
      now: start,
    });
    const moved = (time: Date, copy: number) => new Date(time.getTime() + (copy % 5) * dayMs);
    const changes = Array.from({ length: howMany / 3 - 1 }, (_, copy) => ({
      activeUntil: moved(first.activeUntil!, copy),
      nextPayment: moved(first.nextPayment!, copy),
      dueAt: moved(first.dueAt!, copy),
    }));
    await copySubscription(service, first, changes);
  }
  return merchant.merchant.id;
}

/** The subscriptions of events that happen by themselves, in the order they happened. */
async function whatHappened(merchantId: string) {
  const events = await service.prisma.event.findMany({
    where: { merchantId, type: { in: ['subscription_invoice_due', 'subscription_paused'] } },
    orderBy: { id: 'asc' },
  });
  return events.map(({ type: message, payload }) => {
    const object = JSON.parse(payload) as { subscriptionId?: string; id: string; invoiceDueOn?: string };
    return { message, id: object.subscriptionId ?? object.id, object };
  });
}

test('after 40 days without a worker everything due happens once, in the order of its dates', async () => {
  const merchantId = await makeMany(60);
  const taken = await renewSubscriptions(service, { now: daysLater(45) });
  expect(taken).toBe(3 * 60);
  const happened = await whatHappened(merchantId);
  expect(happened.length).toBe(2 * 60);
  const dueOf = new Map(
    happened
      .filter(({ object }) => object.invoiceDueOn)
      .map(({ id, object }) => [id, Date.parse(object.invoiceDueOn!)]),
  );
  const dates = happened.map(
    ({ message, id }) => dueOf.get(id)! + (message === 'subscription_paused' ? 1 : -2) * dayMs,
  );
  expect(dates).toEqual(dates.toSorted((a, b) => a - b));
  expect(await renewSubscriptions(service, { now: daysLater(45) })).toBe(0);
});

test('two workers at once share the work, and do nothing twice', async () => {
  const merchantId = await makeMany(count(120, 1_200));
  const before = await getEventTypes(service, { merchantId });
  const now = daysLater(60);
  const taken = await Promise.all([
    renewSubscriptions(service, { now }),
    renewSubscriptions(service, { now }),
  ]);
  const subscriptions = await service.prisma.subscription.findMany({ where: { merchantId } });
  expect(taken[0]! + taken[1]!).toBe(3 * subscriptions.length);
  const after = (await getEventTypes(service, { merchantId })).slice(before.length);
  const times = (message: string) => after.filter((one) => one === message).length;
  expect(times('subscription_invoice_due')).toBe(subscriptions.length);
  expect(times('subscription_paused')).toBe(subscriptions.length);
  const invoices = await service.prisma.invoice.findMany({
    where: { merchantId },
    orderBy: { number: 'asc' },
  });
  expect(invoices.map(({ number }) => number)).toEqual(subscriptions.map((_, i) => i + 1));
  expect(await readSubscription(service, subscriptions[0]!.id)).toMatchObject({ status: 'inactive' });
});

test('one that cannot be renewed keeps no other; it is named, and goes on when that is mended', async () => {
  const merchant = await seedMerchant(service, {}, start);
  const plan = await seedPlan(service, merchant, { input: { sendEmail: true }, now: start });
  const first = await seedActiveSubscription(service, merchant, { plan, now: start });
  const changes = Array.from({ length: 120 }, (_, i) => ({ dueAt: new Date(first.dueAt!.getTime() + i) }));
  const copies = await copySubscription(service, first, changes);
  // Nothing lets such an address in; a restored backup or a hand in the database may.
  const broken = [copies[0]!.id, copies[30]!.id];
  await service.prisma.subscription.updateMany({
    where: { id: { in: broken } },
    data: { email: 'no address' },
  });
  const now = daysLater(30);
  await expect(renewSubscriptions(service, { now })).rejects.toThrow(
    `some subscriptions could not be renewed: ${broken.join(', ')}`,
  );
  const countInvoices = () => service.prisma.invoice.count({ where: { merchantId: merchant.merchant.id } });
  expect(await countInvoices()).toBe(copies.length + 1 - broken.length);
  await service.prisma.subscription.updateMany({
    where: { id: { in: broken } },
    data: { email: first.email },
  });
  expect(await renewSubscriptions(service, { now })).toBe(broken.length);
  expect(await countInvoices()).toBe(copies.length + 1);
});

test('nothing above has broken a promise of the database', async () => {
  await expectInvariants(service);
});
