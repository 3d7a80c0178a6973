import { expect, test } from 'vitest';
import { payInvoice } from '../../../src/domain/billing/invoice/pay-invoice.ts';
import { cancelSubscription } from '../../../src/domain/billing/subscription/cancel-subscription.ts';
import { paySubscription } from '../../../src/domain/billing/subscription/pay-subscription.ts';
import { renewSubscriptions } from '../../../src/domain/billing/subscription/renew-subscriptions.ts';
import type { CreateSubscriptionPlanInput } from '../../../src/domain/billing/subscription-plan/create-subscription-plan.ts';
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { isLongRun } from '../../setup/counts.ts';
import { getEventTypes } from '../../setup/database-state.ts';
import { startMailServer } from '../../setup/mail-server.ts';
import { sendDueMessages } from '../../setup/messages.ts';
import { day, seedMerchant } from '../../setup/seed.ts';
import { setupService } from '../../setup/service.ts';
import {
  completeCharge,
  readCharges,
  readInvoices,
  readSubscription,
  seedActiveSubscription,
  seedPlan,
} from '../../setup/subscriptions.ts';

const onCleanup = cleanupAfterFile();

const service = await setupService(onCleanup);
const started = day('2026-01-15');
let customers = 0;

/** Paid on 15 January, by a plan that sends mails. */
async function make(input: Partial<CreateSubscriptionPlanInput> = {}) {
  const merchant = await seedMerchant(service, { name: 'Harbour Teas' }, started);
  const plan = await seedPlan(service, merchant, { input: { sendEmail: true, ...input }, now: started });
  const email = `c${customers++}@example.com`;
  const { id } = await seedActiveSubscription(service, merchant, { plan, email, now: started });
  return { id, email, merchantId: merchant.merchant.id };
}

const change = (merchantId: string, now: Date) => ({ merchantId, mode: 'live' as const, actor: 'x', now });

/** In the order of the alphabet: those of one sweep have no other. */
async function subjectsTo(email: string): Promise<(string | null)[]> {
  const messages = await service.prisma.message.findMany({
    where: { recipient: email },
    orderBy: { subject: 'asc' },
  });
  return messages.map(({ subject }) => subject);
}

test('opened to pay ahead and left, an invoice is told of when it is due, with a charge that lasts as long as any', async () => {
  const { id, email, merchantId } = await make();
  const opened = day('2026-01-20');
  const ahead = await paySubscription(service, { ...change(merchantId, opened), id });
  // Its rate must not stand for weeks: it is payable for the window of its method.
  expect(ahead.expiresAt.getTime() - opened.getTime()).toBeLessThanOrEqual(24 * 3_600_000);
  await renewSubscriptions(service, { now: day('2026-02-12') });
  expect(await getEventTypes(service, { merchantId })).not.toContain('subscription_invoice_due');
  expect(await subjectsTo(email)).toEqual([]);
  await service.prisma.charge.update({ where: { id: ahead.id }, data: { status: 'expired' } });
  await renewSubscriptions(service, { now: day('2026-02-13') });
  const [, , charge] = await readCharges(service, id);
  expect(charge).toMatchObject({ status: 'pending', expiresAt: day('2026-02-16') });
  expect(await readInvoices(service, id)).toMatchObject([{ number: 1, chargeId: charge!.id }]);
  const event = await service.prisma.event.findFirstOrThrow({
    where: { merchantId, type: 'subscription_invoice_due' },
  });
  expect(JSON.parse(event.payload)).toMatchObject({
    chargeId: charge!.id,
    invoiceDueOn: '2026-02-15T12:00:00.000Z',
  });
  await renewSubscriptions(service, { now: day('2026-02-15') });
  await renewSubscriptions(service, { now: day('2026-02-16') });
  expect(await subjectsTo(email)).toEqual([
    'Due today: invoice 1 from Harbour Teas',
    'Invoice 1 from Harbour Teas',
    'Paused: your subscription with Harbour Teas',
  ]);
});

test('told of while the customer is about to pay it ahead, it keeps their charge', async () => {
  const { id, merchantId } = await make();
  const opened = new Date(day('2026-02-13').getTime() - 60_000);
  const ahead = await paySubscription(service, { ...change(merchantId, opened), id });
  await renewSubscriptions(service, { now: day('2026-02-13') });
  expect(await readInvoices(service, id)).toMatchObject([{ chargeId: ahead.id }]);
  expect(await readCharges(service, id)).toHaveLength(2);
});

test('paid ahead, an invoice is never told of', async () => {
  const { id, email, merchantId } = await make();
  const now = day('2026-01-20');
  await completeCharge(service, await paySubscription(service, { ...change(merchantId, now), id }), now);
  await renewSubscriptions(service, { now: day('2026-02-14') });
  expect(await getEventTypes(service, { merchantId })).not.toContain('subscription_invoice_due');
  expect(await subjectsTo(email)).toEqual([]);
});

test('a plan that sends no mails tells the shop of an invoice, and its customer of nothing', async () => {
  const { id, email, merchantId } = await make({ sendEmail: false });
  for (const date of ['2026-02-13', '2026-02-15', '2026-02-16'])
    await renewSubscriptions(service, { now: day(date) });
  expect(await readSubscription(service, id)).toMatchObject({ status: 'inactive' });
  expect(await getEventTypes(service, { merchantId })).toContain('subscription_invoice_due');
  expect(await subjectsTo(email)).toEqual([]);
});

test.runIf(isLongRun)(
  'a reminder that comes late says so; with the invoice on its due date there is none beside it',
  async () => {
    const late = await make({ gracePeriod: 5 });
    await renewSubscriptions(service, { now: day('2026-02-13') });
    const without = await make({ invoiceNotice: 0 });
    await renewSubscriptions(service, { now: day('2026-02-15') });
    await renewSubscriptions(service, { now: day('2026-02-18') });
    expect(await subjectsTo(without.email)).toEqual([
      'Invoice 1 from Harbour Teas',
      'Paused: your subscription with Harbour Teas',
    ]);
    expect(await subjectsTo(late.email)).toContain('Due today: invoice 1 from Harbour Teas');
    const later = await make({ gracePeriod: 5 });
    await renewSubscriptions(service, { now: day('2026-02-14') });
    await renewSubscriptions(service, { now: day('2026-02-17') });
    expect(await subjectsTo(later.email)).toEqual([
      'Invoice 1 from Harbour Teas',
      'Overdue: invoice 1 from Harbour Teas',
    ]);
  },
);

test.runIf(isLongRun)(
  'what still waits for the mail server when the invoice is paid or void is not sent',
  async () => {
    const [paid, cancelled, open] = [await make(), await make(), await make()];
    await renewSubscriptions(service, { now: day('2026-02-13') });
    const now = day('2026-02-14');
    const [invoice] = await readInvoices(service, paid.id);
    await completeCharge(
      service,
      await payInvoice(service, { ...change(paid.merchantId, now), id: invoice!.id }),
      now,
    );
    await cancelSubscription(service, { ...change(cancelled.merchantId, now), id: cancelled.id });
    await using server = await startMailServer();
    await sendDueMessages(service, 'email', {
      smtpUrl: `smtp://127.0.0.1:${server.port}`,
      mailFrom: 'pay@shop.example',
    });
    const reached = server.mails.flatMap(({ to }) => to);
    expect(reached).toContain(open.email);
    expect(reached).not.toContain(paid.email);
    expect(reached).not.toContain(cancelled.email);
  },
);

test('after weeks without a worker the customer gets the invoice and that it is paused, and no reminder between', async () => {
  const { email } = await make();
  await renewSubscriptions(service, { now: day('2026-03-25') });
  expect(await subjectsTo(email)).toEqual([
    'Invoice 1 from Harbour Teas',
    'Paused: your subscription with Harbour Teas',
  ]);
});
