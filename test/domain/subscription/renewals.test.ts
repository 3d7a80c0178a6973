import { describe, expect } from 'vitest';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { setMerchantEnabled } from '../../../src/domain/accounts/merchant/set-merchant-enabled.ts';
import { payInvoice } from '../../../src/domain/billing/collection/pay-invoice.ts';
import { paySubscription } from '../../../src/domain/billing/collection/pay-subscription.ts';
import { renewSubscriptions } from '../../../src/domain/billing/collection/renew-subscriptions.ts';
import { voidInvoice } from '../../../src/domain/billing/collection/void-invoice.ts';
import { cancelSubscription } from '../../../src/domain/billing/subscription/cancel-subscription.ts';
import { changeSubscriptionTerms } from '../../../src/domain/billing/subscription/change-subscription-terms.ts';
import type { CreateSubscriptionPlanInput } from '../../../src/domain/billing/subscription-plan/create-subscription-plan.ts';
import { expireCharges } from '../../../src/domain/payments/charge/expire-charges.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { dayMs } from '../../../src/kit/duration.ts';
import { count, isLongRun } from '../../setup/counts.ts';
import { getEventTypes } from '../../setup/database-state.ts';
import { serviceTest } from '../../setup/fixtures.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { startMailServer } from '../../setup/mail-server.ts';
import { sendDueMessages } from '../../setup/messages.ts';
import { day, seedMerchant } from '../../setup/seed.ts';
import {
  completeCharge,
  copySubscription,
  readCharges,
  readInvoices,
  readSubscription,
  seedActiveSubscription,
  seedPlan,
} from '../../setup/subscriptions.ts';

/** A merchant since 2026. All invariants are checked after the test. */
const test = serviceTest.extend('merchant', ({ service }, { onCleanup }) => {
  onCleanup(() => expectInvariants(service));
  return seedMerchant(service, { name: 'Harbour Teas' }, day('2026-01-01'));
});

describe('Renewal', () => {
  const start = new Date('2026-01-01T12:00:00.000Z');
  const daysLater = (days: number) => new Date(start.getTime() + days * dayMs);

  /** Active subscriptions to three plans, which began on several days; most are copied rows. */
  async function seedSubscriptions(service: Service, merchant: NewMerchant, total: number) {
    for (const [i, days] of [7, 14, 30].entries()) {
      const recurringPayment = { amount: 100, period: 'days', count: days };
      const plan = await seedPlan(service, merchant, { input: { recurringPayment }, now: start });
      const first = await seedActiveSubscription(service, merchant, {
        plan,
        email: `m${i}@example.com`,
        now: start,
      });
      const moved = (time: Date, copy: number) => new Date(time.getTime() + (copy % 5) * dayMs);
      const changes = Array.from({ length: total / 3 - 1 }, (_, copy) => ({
        activeUntil: moved(first.activeUntil!, copy),
        nextPayment: moved(first.nextPayment!, copy),
        dueAt: moved(first.dueAt!, copy),
      }));
      await copySubscription(service, first, changes);
    }
  }

  /** The subscriptions of automatic events, in their order. */
  async function readAutomaticEvents(service: Service, merchantId: string) {
    const events = await service.prisma.event.findMany({
      where: { merchantId, type: { in: ['subscription_invoice_due', 'subscription_paused'] } },
      orderBy: { id: 'asc' },
    });
    return events.map(({ type, payload }) => {
      const object = JSON.parse(payload) as { subscriptionId?: string; id: string; invoiceDueOn?: string };
      return { type, id: object.subscriptionId ?? object.id, object };
    });
  }

  test('runs everything due once in the order of the dates after 40 days without a worker', async ({
    service,
    merchant,
  }) => {
    await seedSubscriptions(service, merchant, 60);
    const renewed = await renewSubscriptions(service, { now: daysLater(45) });
    expect(renewed).toBe(3 * 60);
    const events = await readAutomaticEvents(service, merchant.merchant.id);
    expect(events.length).toBe(2 * 60);
    const dueTimes = new Map(
      events
        .filter(({ object }) => object.invoiceDueOn)
        .map(({ id, object }) => [id, Date.parse(object.invoiceDueOn!)]),
    );
    const dates = events.map(
      ({ type, id }) => dueTimes.get(id)! + (type === 'subscription_paused' ? 1 : -2) * dayMs,
    );
    expect(dates).toEqual(dates.toSorted((a, b) => a - b));
    expect(await renewSubscriptions(service, { now: daysLater(45) })).toBe(0);
  });

  test('is shared by two concurrent workers without duplicates', async ({ service, merchant }) => {
    await seedSubscriptions(service, merchant, count(120, 1_200));
    const merchantId = merchant.merchant.id;
    const before = await getEventTypes(service, { merchantId });
    const now = daysLater(60);
    const renewed = await Promise.all([
      renewSubscriptions(service, { now }),
      renewSubscriptions(service, { now }),
    ]);
    const subscriptions = await service.prisma.subscription.findMany({ where: { merchantId } });
    expect(renewed[0]! + renewed[1]!).toBe(3 * subscriptions.length);
    const after = (await getEventTypes(service, { merchantId })).slice(before.length);
    const countEvents = (type: string) => after.filter((other) => other === type).length;
    expect(countEvents('subscription_invoice_due')).toBe(subscriptions.length);
    expect(countEvents('subscription_paused')).toBe(subscriptions.length);
    const invoices = await service.prisma.invoice.findMany({
      where: { merchantId },
      orderBy: { number: 'asc' },
    });
    expect(invoices.map(({ number }) => number)).toEqual(subscriptions.map((_, i) => i + 1));
    expect(await readSubscription(service, subscriptions[0]!.id)).toMatchObject({ status: 'inactive' });
  });

  test('continues when a subscription cannot be renewed, reports its id, and renews it when it is repaired', async ({
    service,
    merchant,
  }) => {
    const plan = await seedPlan(service, merchant, { input: { sendEmail: true }, now: start });
    const first = await seedActiveSubscription(service, merchant, { plan, now: start });
    const changes = Array.from({ length: 120 }, (_, i) => ({ dueAt: new Date(first.dueAt!.getTime() + i) }));
    const copies = await copySubscription(service, first, changes);
    // Inputs reject such an address; a restored backup may contain one.
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
});

describe('Invoice mail', () => {
  const started = day('2026-01-15');
  /** A subscription to a plan with mails, paid on 15 January. */
  async function seedMailedSubscription(
    service: Service,
    merchant: NewMerchant,
    input: Partial<CreateSubscriptionPlanInput> = {},
  ) {
    const plan = await seedPlan(service, merchant, { input: { sendEmail: true, ...input }, now: started });
    const email = `${plan.id}@example.com`;
    const { id } = await seedActiveSubscription(service, merchant, { plan, email, now: started });
    return { id, email, merchantId: merchant.merchant.id };
  }

  const toOptions = (merchantId: string, now: Date) => ({
    merchantId,
    mode: 'live' as const,
    actor: 'user:test',
    now,
  });

  /** In alphabetical order, because mails of one run have no other order. */
  async function readSubjects(service: Service, email: string): Promise<(string | null)[]> {
    const messages = await service.prisma.message.findMany({
      where: { recipient: email },
      orderBy: { subject: 'asc' },
    });
    return messages.map(({ subject }) => subject);
  }

  test('is sent for an invoice that was opened to pay ahead and left, when it is due', async ({
    service,
    merchant,
  }) => {
    const { id, email, merchantId } = await seedMailedSubscription(service, merchant);
    const opened = day('2026-01-20');
    const ahead = await paySubscription(service, { ...toOptions(merchantId, opened), id });
    // The charge is payable for the window of its method, because its exchange rate must not be used for weeks.
    expect(ahead.expiresAt.getTime() - opened.getTime()).toBeLessThanOrEqual(24 * 3_600_000);
    await renewSubscriptions(service, { now: day('2026-02-12') });
    expect(await getEventTypes(service, { merchantId })).not.toContain('subscription_invoice_due');
    expect(await readSubjects(service, email)).toEqual([]);
    await expireCharges(service, { now: day('2026-02-12') });
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
    expect(await readSubjects(service, email)).toEqual([
      'Due today: invoice 1 from Harbour Teas',
      'Invoice 1 from Harbour Teas',
      'Paused: your subscription with Harbour Teas',
    ]);
  });

  test('keeps the charge of a customer who has just opened the invoice', async ({ service, merchant }) => {
    const { id, merchantId } = await seedMailedSubscription(service, merchant);
    const opened = new Date(day('2026-02-13').getTime() - 60_000);
    const ahead = await paySubscription(service, { ...toOptions(merchantId, opened), id });
    await renewSubscriptions(service, { now: day('2026-02-13') });
    expect(await readInvoices(service, id)).toMatchObject([{ chargeId: ahead.id }]);
    expect(await readCharges(service, id)).toHaveLength(2);
  });

  test('requests the amount of an invoice that was opened to pay ahead before the price changed', async ({
    service,
    merchant,
  }) => {
    const { id, merchantId } = await seedMailedSubscription(service, merchant);
    await paySubscription(service, { ...toOptions(merchantId, day('2026-01-20')), id });
    const changed = toOptions(merchantId, day('2026-01-25'));
    await changeSubscriptionTerms(service, { ...changed, id, audit: changed, input: { amount: 120 } });
    await expireCharges(service, { now: day('2026-02-12') });
    await renewSubscriptions(service, { now: day('2026-02-13') });
    const [, , charge] = await readCharges(service, id);
    expect(charge).toMatchObject({ merchantAmount: 10_000n, customerAmount: 10_000n });
    await completeCharge(service, charge!, day('2026-02-14'));
    await renewSubscriptions(service, { now: day('2026-03-13') });
    expect((await readCharges(service, id)).at(-1)).toMatchObject({ customerAmount: 12_000n });
  });

  test('of an invoice that replaces one opened to pay ahead is sent when it is due', async ({
    service,
    merchant,
  }) => {
    const { id, email, merchantId } = await seedMailedSubscription(service, merchant);
    await paySubscription(service, { ...toOptions(merchantId, day('2026-01-20')), id });
    const [opened] = await readInvoices(service, id);
    const replaced = toOptions(merchantId, day('2026-01-25'));
    await voidInvoice(service, { ...replaced, id: opened!.id, audit: replaced, isReissued: true });
    expect(await readInvoices(service, id)).toMatchObject([
      { status: 'void' },
      { status: 'open', number: 2, chargeId: null, dueNotifiedAt: null },
    ]);
    expect(await getEventTypes(service, { merchantId })).not.toContain('subscription_invoice_due');
    expect(await readSubjects(service, email)).toEqual([]);
    await renewSubscriptions(service, { now: day('2026-02-13') });
    expect(await readSubjects(service, email)).toEqual(['Invoice 2 from Harbour Teas']);
    expect((await readCharges(service, id)).at(-1)).toMatchObject({
      status: 'pending',
      expiresAt: day('2026-02-16'),
    });
  });

  test('waits while an operator has disabled the merchant', async ({ service, merchant }) => {
    const { id, email, merchantId } = await seedMailedSubscription(service, merchant);
    const by = (isEnabled: boolean) => ({ merchantId, isEnabled, actor: 'operator:test', now: started });
    await setMerchantEnabled(service, by(false));
    expect(await renewSubscriptions(service, { now: day('2026-02-14') })).toBe(0);
    expect(await readInvoices(service, id)).toEqual([]);
    await setMerchantEnabled(service, by(true));
    await renewSubscriptions(service, { now: day('2026-02-14') });
    expect(await readSubjects(service, email)).toEqual(['Invoice 1 from Harbour Teas']);
  });

  test('is not sent for an invoice that was paid ahead', async ({ service, merchant }) => {
    const { id, email, merchantId } = await seedMailedSubscription(service, merchant);
    const now = day('2026-01-20');
    await completeCharge(service, await paySubscription(service, { ...toOptions(merchantId, now), id }), now);
    await renewSubscriptions(service, { now: day('2026-02-14') });
    expect(await getEventTypes(service, { merchantId })).not.toContain('subscription_invoice_due');
    expect(await readSubjects(service, email)).toEqual([]);
  });

  test('is not sent by a plan without mails, which only notifies the merchant', async ({
    service,
    merchant,
  }) => {
    const { id, email, merchantId } = await seedMailedSubscription(service, merchant, { sendEmail: false });
    for (const date of ['2026-02-13', '2026-02-15', '2026-02-16'])
      await renewSubscriptions(service, { now: day(date) });
    expect(await readSubscription(service, id)).toMatchObject({ status: 'inactive' });
    expect(await getEventTypes(service, { merchantId })).toContain('subscription_invoice_due');
    expect(await readSubjects(service, email)).toEqual([]);
  });

  test.runIf(isLongRun)(
    'reports that it is overdue if the reminder is late, and has no reminder if it is sent on the due date',
    async ({ service, merchant }) => {
      const late = await seedMailedSubscription(service, merchant, { gracePeriod: 5 });
      await renewSubscriptions(service, { now: day('2026-02-13') });
      const without = await seedMailedSubscription(service, merchant, { invoiceNotice: 0 });
      await renewSubscriptions(service, { now: day('2026-02-15') });
      await renewSubscriptions(service, { now: day('2026-02-18') });
      // The invoices of a merchant are numbered together.
      expect(await readSubjects(service, without.email)).toEqual([
        'Invoice 2 from Harbour Teas',
        'Paused: your subscription with Harbour Teas',
      ]);
      expect(await readSubjects(service, late.email)).toContain('Due today: invoice 1 from Harbour Teas');
      const later = await seedMailedSubscription(service, merchant, { gracePeriod: 5 });
      await renewSubscriptions(service, { now: day('2026-02-14') });
      await renewSubscriptions(service, { now: day('2026-02-17') });
      expect(await readSubjects(service, later.email)).toEqual([
        'Invoice 3 from Harbour Teas',
        'Overdue: invoice 3 from Harbour Teas',
      ]);
    },
  );

  test.runIf(isLongRun)(
    'is not sent if the invoice is paid or void by then',
    async ({ service, merchant }) => {
      const [paid, cancelled, open] = [
        await seedMailedSubscription(service, merchant),
        await seedMailedSubscription(service, merchant),
        await seedMailedSubscription(service, merchant),
      ];
      await renewSubscriptions(service, { now: day('2026-02-13') });
      const now = day('2026-02-14');
      const [invoice] = await readInvoices(service, paid.id);
      await completeCharge(
        service,
        await payInvoice(service, { ...toOptions(paid.merchantId, now), id: invoice!.id }),
        now,
      );
      await cancelSubscription(service, { ...toOptions(cancelled.merchantId, now), id: cancelled.id });
      await using server = await startMailServer();
      await sendDueMessages(service, 'email', {
        smtpUrl: `smtp://127.0.0.1:${server.port}`,
        mailFrom: 'pay@shop.example',
      });
      const recipients = server.mails.flatMap(({ to }) => to);
      expect(recipients).toContain(open.email);
      expect(recipients).not.toContain(paid.email);
      expect(recipients).not.toContain(cancelled.email);
    },
  );

  test('is sent with the notice of the pause but without a reminder after weeks without a worker', async ({
    service,
    merchant,
  }) => {
    const { email } = await seedMailedSubscription(service, merchant);
    await renewSubscriptions(service, { now: day('2026-03-25') });
    expect(await readSubjects(service, email)).toEqual([
      'Invoice 1 from Harbour Teas',
      'Paused: your subscription with Harbour Teas',
    ]);
  });
});
