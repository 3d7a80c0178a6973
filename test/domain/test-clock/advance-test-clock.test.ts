import { expect, onTestFinished, test } from 'vitest';
import { advanceTestClock } from '../../../src/domain/operations/test-clock/advance-test-clock.ts';
import { expireCharges } from '../../../src/domain/payments/charge/expire-charges.ts';
import { forEachClock } from '../../../src/domain/platform/clock/for-each-clock.ts';
import { merchantNow } from '../../../src/domain/platform/clock/merchant-now.ts';
import { seedSession } from '../../setup/checkout.ts';
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { noon, seedCharge, seedMerchant } from '../../setup/seed.ts';
import { beforeStatement } from '../../setup/sent-statements.ts';
import { setupService } from '../../setup/service.ts';
import {
  completeCharge,
  readInvoices,
  readSubscription,
  seedActiveSubscription,
  seedPlan,
  seedSubscription,
} from '../../setup/subscriptions.ts';

const onCleanup = cleanupAfterFile();

const service = await setupService(onCleanup);
/** The system time stands still here; only test clocks move. */
const clock = { now: () => noon };
const sandbox = (merchantId: string, to: Date) => ({
  merchantId,
  mode: 'sandbox' as const,
  advanceTo: to,
  clock,
});
const days = (count: number) => new Date(noon.getTime() + count * 24 * 3_600_000);

test('a plan of 12 months runs to its completion, each step dated by the clock', async () => {
  const merchant = await seedMerchant(service);
  const { id } = merchant.merchant;
  const plan = await seedPlan(service, merchant, { mode: 'sandbox', input: { numPayments: 12 } });
  const { subscription, charge } = await seedSubscription(service, merchant, { plan });
  await completeCharge(service, charge!, noon);
  for (let payment = 2; payment <= 12; payment++) {
    const { nextPayment } = await readSubscription(service, subscription.id);
    const moved = await advanceTestClock(service, sandbox(id, nextPayment!));
    const now = merchantNow(noon, moved, 'sandbox');
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

test('all that falls due on the way happens in the order of its times, at its time', async () => {
  const merchant = await seedMerchant(service);
  const { id } = merchant.merchant;
  const plan = await seedPlan(service, merchant, { mode: 'sandbox' });
  const monthly = await seedSubscription(service, merchant, { plan });
  await completeCharge(service, monthly.charge!, noon);
  const charge = await seedCharge(service, merchant, { mode: 'sandbox', input: { email: 'b@example.com' } });
  const before = await service.prisma.event.count({ where: { merchantId: id } });
  await advanceTestClock(service, sandbox(id, days(60)));
  const events = await service.prisma.event.findMany({ where: { merchantId: id }, orderBy: { id: 'asc' } });
  expect(events.slice(before).map(({ type, createdAt }) => [type, createdAt.toISOString()])).toEqual([
    ['charge_expired', new Date(charge.expiresAt.getTime() + 1).toISOString()],
    ['charge_created', '2026-12-15T12:00:00.000Z'],
    ['subscription_invoice_due', '2026-12-15T12:00:00.000Z'],
    ['subscription_paused', '2026-12-18T12:00:00.000Z'],
    ['charge_expired', '2026-12-18T12:00:00.001Z'],
  ]);
});

test('only this sandbox moves: not live, nor another merchant', async () => {
  const [merchant, other] = [await seedMerchant(service), await seedMerchant(service)];
  const charges = [
    await seedCharge(service, merchant, { mode: 'live' }),
    await seedCharge(service, other, { mode: 'sandbox' }),
    await seedCharge(service, merchant, { mode: 'sandbox' }),
  ];
  const sessions = [
    await seedSession(service, merchant, { mode: 'live', now: noon }),
    await seedSession(service, other, { mode: 'sandbox', now: noon }),
    await seedSession(service, merchant, { mode: 'sandbox', now: noon }),
  ];
  const plan = await seedPlan(service, merchant, { mode: 'live' });
  const subscription = await seedActiveSubscription(service, merchant, { plan, now: noon });
  const moved = await advanceTestClock(service, sandbox(merchant.merchant.id, days(60)));
  expect(merchantNow(noon, moved, 'live')).toEqual(noon);
  const { prisma } = service;
  const statusOf = (row: { status: string }) => row.status;
  const read = ({ id }: { id: string }) => prisma.charge.findUniqueOrThrow({ where: { id } });
  const readIt = ({ id }: { id: string }) => prisma.checkoutSession.findUniqueOrThrow({ where: { id } });
  expect((await Promise.all(charges.map(read))).map(statusOf)).toEqual(['pending', 'pending', 'expired']);
  expect((await Promise.all(sessions.map(readIt))).map(statusOf)).toEqual(['created', 'created', 'expired']);
  expect(await readSubscription(service, subscription.id)).toMatchObject({ status: 'active' });
  expect(await readInvoices(service, subscription.id)).toEqual([]);
});

test('the sweeps go by the clock from then on', async () => {
  const merchant = await seedMerchant(service);
  const moved = await advanceTestClock(service, sandbox(merchant.merchant.id, days(5)));
  const now = merchantNow(noon, moved, 'sandbox');
  const charge = await seedCharge(service, merchant, { mode: 'sandbox', now });
  expect(charge.expiresAt > days(5)).toBe(true);
  const sweep = (at: Date) => forEachClock(service, at, (time) => expireCharges(service, time));
  await sweep(noon);
  const [fresh] = await service.prisma.charge.findMany({ where: { id: charge.id } });
  expect(fresh!.status).toBe('pending');
  await sweep(new Date(noon.getTime() + 3_600_000));
  const [expired] = await service.prisma.charge.findMany({ where: { id: charge.id } });
  expect(expired).toMatchObject({ status: 'expired', updatedAt: new Date(now.getTime() + 3_600_000) });
});

test('forward only, in the sandbox only, and one call at a time', async () => {
  const merchant = await seedMerchant(service);
  const { id } = merchant.merchant;
  const live = { ...sandbox(id, days(1)), mode: 'live' as const };
  await expect(advanceTestClock(service, live)).rejects.toMatchObject({ code: 'sandbox_only' });
  await expect(advanceTestClock(service, sandbox(id, noon))).rejects.toMatchObject({
    code: 'invalid_request',
  });
  // A century by a slip of the year would make what falls due on the way uncountable.
  await expect(advanceTestClock(service, sandbox(id, days(36_525)))).rejects.toMatchObject({
    code: 'invalid_request',
  });
  await advanceTestClock(service, sandbox(id, days(3)));
  await expect(advanceTestClock(service, sandbox(id, days(2)))).rejects.toMatchObject({
    code: 'invalid_request',
  });
  const both = await Promise.allSettled([4, 4].map((at) => advanceTestClock(service, sandbox(id, days(at)))));
  const refused = both.filter((one) => one.status === 'rejected').map(({ reason }) => reason.code);
  expect(refused.length).toBe(1);
  expect(['test_clock_running', 'invalid_request']).toContain(refused[0]);
});

test('a clock whose mover was killed can be moved again, once its lease is over', async () => {
  const merchant = await seedMerchant(service);
  const { id } = merchant.merchant;
  await service.prisma.merchant.update({
    where: { id },
    data: { testClockTarget: days(9), testClockLeasedUntil: new Date(noon.getTime() + 60_000) },
  });
  await expect(advanceTestClock(service, sandbox(id, days(9)))).rejects.toMatchObject({
    code: 'test_clock_running',
  });
  const later = { now: () => new Date(noon.getTime() + 61_000) };
  const moved = await advanceTestClock(service, { ...sandbox(id, days(9)), clock: later });
  expect(moved.testClockOffsetMs).toBe(BigInt(9 * 24 * 3_600_000 - 61_000));
});

test('whoever was away for longer than the lease leaves the clock to who has taken it since', async () => {
  const merchant = await seedMerchant(service);
  const { id } = merchant.merchant;
  const taken = { testClockTarget: days(2), testClockLeasedUntil: new Date(noon.getTime() + 120_000) };
  // It looks for what falls due, the clock in its hands.
  beforeStatement(
    onTestFinished,
    ({ text }) => text.includes('min(due)'),
    () => service.prisma.merchant.update({ where: { id }, data: taken }),
  );
  await expect(advanceTestClock(service, sandbox(id, days(9)))).rejects.toMatchObject({
    code: 'test_clock_running',
  });
  expect(await service.prisma.merchant.findUniqueOrThrow({ where: { id } })).toMatchObject({
    ...taken,
    testClockOffsetMs: 0n,
  });
});

test('nothing above has broken a promise of the database', async () => {
  await expectInvariants(service);
});
