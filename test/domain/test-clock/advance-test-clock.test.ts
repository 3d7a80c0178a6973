import { expect, onTestFinished } from 'vitest';
import { advanceTestClock } from '../../../src/domain/operations/test-clock/advance-test-clock.ts';
import { expireCharges } from '../../../src/domain/payments/charge/expire-charges.ts';
import { forEachClock } from '../../../src/domain/platform/clock/for-each-clock.ts';
import { merchantNow } from '../../../src/domain/platform/clock/merchant-now.ts';
import { seedSession } from '../../setup/checkout.ts';
import { serviceTest as test } from '../../setup/fixtures.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { noon, seedCharge, seedMerchant } from '../../setup/seed.ts';
import { beforeStatement } from '../../setup/sent-statements.ts';
import {
  completeCharge,
  readInvoices,
  readSubscription,
  seedActiveSubscription,
  seedPlan,
  seedSubscription,
} from '../../setup/subscriptions.ts';

/** The time of the service never changes in these tests; only test clocks advance. */
const clock = { now: () => noon };
const buildInput = (time: Date, merchantId: string) => ({
  merchantId,
  mode: 'sandbox' as const,
  advanceTo: time,
  clock,
});
const days = (count: number) => new Date(noon.getTime() + count * 24 * 3_600_000);

test('a plan of 12 payments completes, and each step has the time of the test clock', async ({
  service,
  merchant,
}) => {
  const { id } = merchant.merchant;
  const plan = await seedPlan(service, merchant, { mode: 'sandbox', input: { numPayments: 12 } });
  const { subscription, charge } = await seedSubscription(service, merchant, { plan });
  await completeCharge(service, charge!, noon);
  for (let payment = 2; payment <= 12; payment++) {
    const { nextPayment } = await readSubscription(service, subscription.id);
    const advanced = await advanceTestClock(service, buildInput(nextPayment!, id));
    const now = merchantNow(noon, advanced, 'sandbox');
    expect(now).toEqual(nextPayment);
    const [open] = await service.prisma.charge.findMany({
      where: { subscriptionId: subscription.id, status: 'pending' },
    });
    expect(open!.createdAt).toEqual(new Date(nextPayment!.getTime() - 2 * 24 * 3_600_000));
    await completeCharge(service, open!, now);
  }
  expect(await readSubscription(service, subscription.id)).toMatchObject({
    status: 'completed',
    numPaymentsComplete: 12,
    activeUntil: new Date('2027-11-17T12:00:00.000Z'),
  });
  expect((await readInvoices(service, subscription.id)).map(({ number }) => number)).toEqual(
    Array.from({ length: 11 }, (_, i) => i + 1),
  );
});

test('everything that falls due while the clock advances happens in order, at its due time', async ({
  service,
  merchant,
}) => {
  const { id } = merchant.merchant;
  const plan = await seedPlan(service, merchant, { mode: 'sandbox' });
  const monthly = await seedSubscription(service, merchant, { plan });
  await completeCharge(service, monthly.charge!, noon);
  const charge = await seedCharge(service, merchant, { mode: 'sandbox', input: { email: 'b@example.com' } });
  const before = await service.prisma.event.count({ where: { merchantId: id } });
  await advanceTestClock(service, buildInput(days(60), id));
  const events = await service.prisma.event.findMany({ where: { merchantId: id }, orderBy: { id: 'asc' } });
  expect(events.slice(before).map(({ type, createdAt }) => [type, createdAt.toISOString()])).toEqual([
    ['charge_expired', new Date(charge.expiresAt.getTime() + 1).toISOString()],
    ['charge_created', '2026-12-15T12:00:00.000Z'],
    ['subscription_invoice_due', '2026-12-15T12:00:00.000Z'],
    ['subscription_paused', '2026-12-18T12:00:00.000Z'],
    ['charge_expired', '2026-12-18T12:00:00.001Z'],
  ]);
});

test('advancing a test clock changes only the sandbox of its merchant', async ({ service, merchant }) => {
  const otherMerchant = await seedMerchant(service);
  const charges = [
    await seedCharge(service, merchant, { mode: 'live' }),
    await seedCharge(service, otherMerchant, { mode: 'sandbox' }),
    await seedCharge(service, merchant, { mode: 'sandbox' }),
  ];
  const sessions = [
    await seedSession(service, merchant, { mode: 'live', now: noon }),
    await seedSession(service, otherMerchant, { mode: 'sandbox', now: noon }),
    await seedSession(service, merchant, { mode: 'sandbox', now: noon }),
  ];
  const plan = await seedPlan(service, merchant, { mode: 'live' });
  const subscription = await seedActiveSubscription(service, merchant, { plan, now: noon });
  const advanced = await advanceTestClock(service, buildInput(days(60), merchant.merchant.id));
  expect(merchantNow(noon, advanced, 'live')).toEqual(noon);
  const { prisma } = service;
  const getStatus = (row: { status: string }) => row.status;
  const readCharge = ({ id }: { id: string }) => prisma.charge.findUniqueOrThrow({ where: { id } });
  const readSession = ({ id }: { id: string }) => prisma.checkoutSession.findUniqueOrThrow({ where: { id } });
  expect((await Promise.all(charges.map(readCharge))).map(getStatus)).toEqual([
    'pending',
    'pending',
    'expired',
  ]);
  expect((await Promise.all(sessions.map(readSession))).map(getStatus)).toEqual([
    'created',
    'created',
    'expired',
  ]);
  expect(await readSubscription(service, subscription.id)).toMatchObject({ status: 'active' });
  expect(await readInvoices(service, subscription.id)).toEqual([]);
});

test('sweeps use the time of the test clock after it was advanced', async ({ service, merchant }) => {
  const advanced = await advanceTestClock(service, buildInput(days(5), merchant.merchant.id));
  const now = merchantNow(noon, advanced, 'sandbox');
  const charge = await seedCharge(service, merchant, { mode: 'sandbox', now });
  expect(charge.expiresAt > days(5)).toBe(true);
  const sweep = (now: Date) => forEachClock(service, now, (time) => expireCharges(service, time));
  await sweep(noon);
  const [pending] = await service.prisma.charge.findMany({ where: { id: charge.id } });
  expect(pending!.status).toBe('pending');
  await sweep(new Date(noon.getTime() + 3_600_000));
  const [expired] = await service.prisma.charge.findMany({ where: { id: charge.id } });
  expect(expired).toMatchObject({ status: 'expired', updatedAt: new Date(now.getTime() + 3_600_000) });
});

test('a test clock advances only forward, only in the sandbox, and in one call at a time', async ({
  service,
  merchant,
}) => {
  const { id } = merchant.merchant;
  const live = { ...buildInput(days(1), id), mode: 'live' as const };
  await expect(advanceTestClock(service, live)).rejects.toMatchObject({ code: 'sandbox_only' });
  await expect(advanceTestClock(service, buildInput(noon, id))).rejects.toMatchObject({
    code: 'invalid_request',
  });
  // A mistyped year would make a century of work fall due.
  await expect(advanceTestClock(service, buildInput(days(36_525), id))).rejects.toMatchObject({
    code: 'invalid_request',
  });
  await advanceTestClock(service, buildInput(days(3), id));
  await expect(advanceTestClock(service, buildInput(days(2), id))).rejects.toMatchObject({
    code: 'invalid_request',
  });
  const results = await Promise.allSettled(
    [4, 4].map((count) => advanceTestClock(service, buildInput(days(count), id))),
  );
  const rejected = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason.code);
  expect(rejected.length).toBe(1);
  expect(['test_clock_running', 'invalid_request']).toContain(rejected[0]);
});

test('a clock whose process was killed can be advanced once its lease has expired', async ({
  service,
  merchant,
}) => {
  const { id } = merchant.merchant;
  await service.prisma.merchant.update({
    where: { id },
    data: { testClockTarget: days(9), testClockLeasedUntil: new Date(noon.getTime() + 60_000) },
  });
  await expect(advanceTestClock(service, buildInput(days(9), id))).rejects.toMatchObject({
    code: 'test_clock_running',
  });
  const later = { now: () => new Date(noon.getTime() + 61_000) };
  const advanced = await advanceTestClock(service, { ...buildInput(days(9), id), clock: later });
  expect(advanced.testClockOffsetMs).toBe(BigInt(9 * 24 * 3_600_000 - 61_000));
});

test('a call that outlived its lease leaves the clock to the call that has claimed it since', async ({
  service,
  merchant,
}) => {
  const { id } = merchant.merchant;
  const otherLease = { testClockTarget: days(2), testClockLeasedUntil: new Date(noon.getTime() + 120_000) };
  // The call holds its lease while it looks for the next due time.
  beforeStatement(
    onTestFinished,
    ({ text }) => text.includes('min(due)'),
    () => service.prisma.merchant.update({ where: { id }, data: otherLease }),
  );
  await expect(advanceTestClock(service, buildInput(days(9), id))).rejects.toMatchObject({
    code: 'test_clock_running',
  });
  expect(await service.prisma.merchant.findUniqueOrThrow({ where: { id } })).toMatchObject({
    ...otherLease,
    testClockOffsetMs: 0n,
  });
});

test('the tests of this file leave all invariants intact', async ({ service }) => {
  await expectInvariants(service);
});
