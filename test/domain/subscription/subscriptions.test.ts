import { describe, expect } from 'vitest';
import type { Subscription } from '../../../prisma/client/client.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { payInvoice } from '../../../src/domain/billing/collection/pay-invoice.ts';
import { paySubscription } from '../../../src/domain/billing/collection/pay-subscription.ts';
import { renewSubscriptions } from '../../../src/domain/billing/collection/renew-subscriptions.ts';
import {
  confirmationLifetimeMs,
  createCancelConfirmation,
  createShortConfirmation,
  expandConfirmation,
  isCancelConfirmation,
} from '../../../src/domain/billing/subscription/cancel-confirmation.ts';
import { cancelSubscription } from '../../../src/domain/billing/subscription/cancel-subscription.ts';
import { changeSubscriptionMethod } from '../../../src/domain/billing/subscription/change-subscription-method.ts';
import { createSubscriptionLink } from '../../../src/domain/billing/subscription/create-subscription-link.ts';
import { type EnrolOptions, enrol } from '../../../src/domain/billing/subscription/enrol.ts';
import { updateSubscriptionPlan } from '../../../src/domain/billing/subscription-plan/update-subscription-plan.ts';
import { expireCharges } from '../../../src/domain/payments/charge/expire-charges.ts';
import { createPageToken } from '../../../src/domain/payments/customer-page/page-tokens.ts';
import { createRefund } from '../../../src/domain/payments/refund/create-refund.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { newDataKey, openKeyring } from '../../../src/kit/secrets.ts';
import { newToken } from '../../../src/kit/token.ts';
import { getEventTypes } from '../../setup/database-state.ts';
import { serviceTest } from '../../setup/fixtures.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { retireAccounts } from '../../setup/receiving-accounts.ts';
import { day, minutesAfter, noon, seedMerchant } from '../../setup/seed.ts';
import { testSecrets } from '../../setup/service.ts';
import {
  completeCharge,
  copySubscription,
  readCharges,
  readInvoices,
  readSubscription,
  seedActiveSubscription,
  seedPlan,
  seedSubscription,
} from '../../setup/subscriptions.ts';
import { payCharge } from '../../setup/transfers.ts';

/** A merchant since 2026. All invariants are checked after the test. */
const test = serviceTest.extend('merchant', ({ service }, { onCleanup }) => {
  onCleanup(() => expectInvariants(service));
  return seedMerchant(service, { name: 'Harbour Teas' }, day('2026-01-01'));
});

const toId = ({ merchant }: NewMerchant, id: string) => ({
  merchantId: merchant.id,
  mode: 'live' as const,
  id,
});

describe('Subscription', () => {
  test('is created inactive with a charge, in this order of events', async ({ service, merchant }) => {
    const plan = await seedPlan(service, merchant, { now: day('2026-01-31') });
    const { subscription, charge } = await seedSubscription(service, merchant, {
      plan,
      now: day('2026-01-31'),
    });
    expect(subscription).toMatchObject({
      status: 'inactive',
      activeUntil: null,
      nextPayment: null,
      numPaymentsComplete: 0,
    });
    expect(charge).toMatchObject({
      subscriptionId: subscription.id,
      invoiceId: null,
      status: 'pending',
      merchantAmount: 10_000n,
      notifyPayload: 'from the shop',
    });
    expect(await getEventTypes(service, { merchantId: merchant.merchant.id })).toEqual([
      'subscription_created',
      'charge_created',
    ]);
  });

  test('keeps its charge when the first payment is requested again, and replaces it for another method', async ({
    service,
    merchant,
  }) => {
    const now = day('2026-01-31');
    const { subscription, charge } = await seedSubscription(service, merchant, { now });
    const pay = { ...toId(merchant, subscription.id), actor: 'customer', now };
    expect((await paySubscription(service, pay)).id).toBe(charge!.id);
    const other = await paySubscription(service, { ...pay, method: 'hk-bank-transfer' });
    expect(other.id).not.toBe(charge!.id);
    expect((await readCharges(service, subscription.id)).map(({ status }) => status)).toEqual([
      'cancelled',
      'pending',
    ]);
  });

  test('stays inactive without invoices when its first charge has expired, until a new charge is paid', async ({
    service,
    merchant,
  }) => {
    const now = day('2026-01-31');
    const { subscription } = await seedSubscription(service, merchant, { now });
    const later = day('2026-03-05');
    await expireCharges(service, { now: later });
    await renewSubscriptions(service, { now: later });
    expect(await readInvoices(service, subscription.id)).toEqual([]);
    const options = { ...toId(merchant, subscription.id), actor: 'customer', now: later };
    await completeCharge(service, await paySubscription(service, options), later);
    expect(await readSubscription(service, subscription.id)).toMatchObject({
      status: 'active',
      activeUntil: day('2026-04-05'),
      numPaymentsComplete: 1,
    });
  });

  test('becomes active with the first payment, with the events in the documented order', async ({
    service,
    merchant,
  }) => {
    const now = day('2026-01-31');
    const subscription = await seedActiveSubscription(service, merchant, { now });
    expect(subscription).toMatchObject({
      status: 'active',
      activeUntil: day('2026-02-28'),
      nextPayment: day('2026-02-28'),
      numPaymentsComplete: 1,
    });
    expect((await getEventTypes(service, { merchantId: merchant.merchant.id })).slice(2)).toEqual([
      'CHARGE_COMPLETE',
      'charge_completed',
      'subscription_paid',
    ]);
  });

  test('is invoiced with a charge before the due date, and keeps the 31st as its day of the month', async ({
    service,
    merchant,
  }) => {
    const { id } = await seedActiveSubscription(service, merchant, { now: day('2026-01-31') });
    // A plan that accepts no new customers still renews its subscriptions.
    const { id: merchantId } = merchant.merchant;
    await service.prisma.subscriptionPlan.updateMany({ where: { merchantId }, data: { status: 'inactive' } });
    await renewSubscriptions(service, { now: day('2026-02-25') });
    expect(await readInvoices(service, id)).toEqual([]);
    await renewSubscriptions(service, { now: day('2026-02-26') });
    await renewSubscriptions(service, { now: day('2026-02-26') });
    const [invoice, ...more] = await readInvoices(service, id);
    expect(more).toEqual([]);
    expect(invoice).toMatchObject({ number: 1, status: 'open', dueAt: day('2026-02-28'), amount: 10_000n });
    const [, charge] = await readCharges(service, id);
    expect(charge).toMatchObject({
      id: invoice!.chargeId,
      invoiceId: invoice!.id,
      expiresAt: day('2026-03-01'),
    });
    await completeCharge(service, charge!, day('2026-02-27'));
    expect(await readInvoices(service, id)).toMatchObject([{ status: 'paid', paidAt: day('2026-02-27') }]);
    expect(await readSubscription(service, id)).toMatchObject({
      activeUntil: day('2026-03-31'),
      nextPayment: day('2026-03-31'),
      numPaymentsComplete: 2,
    });
    expect((await getEventTypes(service, { merchantId: merchant.merchant.id })).slice(5)).toEqual([
      'charge_created',
      'subscription_invoice_due',
      'CHARGE_COMPLETE',
      'charge_completed',
      'subscription_paid',
    ]);
  });

  test('is paused after the grace period, and continues from the day on which the invoice is paid', async ({
    service,
    merchant,
  }) => {
    const { id } = await seedActiveSubscription(service, merchant, { now: day('2026-01-31') });
    await renewSubscriptions(service, { now: day('2026-02-26') });
    await renewSubscriptions(service, { now: day('2026-02-28') });
    expect(await readSubscription(service, id)).toMatchObject({ status: 'active' });
    await expireCharges(service, { now: day('2026-03-02') });
    await renewSubscriptions(service, { now: day('2026-03-02') });
    expect(await readSubscription(service, id)).toMatchObject({
      status: 'inactive',
      activeUntil: day('2026-02-28'),
      nextPayment: day('2026-02-28'),
      dueAt: null,
    });
    const [invoice] = await readInvoices(service, id);
    const pay = { ...toId(merchant, invoice!.id), actor: 'customer', now: day('2026-03-15') };
    const charge = await payInvoice(service, { ...pay, method: 'hk-bank-transfer' });
    expect(charge).toMatchObject({ invoiceId: invoice!.id, method: 'hk-bank-transfer' });
    await completeCharge(service, charge, day('2026-03-15'));
    expect(await readSubscription(service, id)).toMatchObject({
      status: 'active',
      activeUntil: day('2026-04-15'),
      method: 'hk-bank-transfer',
    });
  });

  test('becomes active when an expired charge completes, and is not invoiced again', async ({
    service,
    merchant,
  }) => {
    const { id } = await seedActiveSubscription(service, merchant, { now: day('2026-01-15') });
    await renewSubscriptions(service, { now: day('2026-02-13') });
    const [, charge] = await readCharges(service, id);
    await expireCharges(service, { now: day('2026-02-17') });
    await renewSubscriptions(service, { now: day('2026-02-17') });
    await completeCharge(service, charge!, day('2026-02-18'));
    expect(await readSubscription(service, id)).toMatchObject({
      status: 'active',
      activeUntil: day('2026-03-18'),
    });
    expect(await readInvoices(service, id)).toMatchObject([{ status: 'paid', chargeId: charge!.id }]);
  });

  test('moves its dates by several periods when it is paid ahead', async ({ service, merchant }) => {
    const now = day('2026-01-31');
    const { id } = await seedActiveSubscription(service, merchant, { now });
    const pay = { ...toId(merchant, id), actor: 'customer', now };
    await completeCharge(service, await paySubscription(service, pay), now);
    await completeCharge(service, await paySubscription(service, pay), now);
    expect(await readSubscription(service, id)).toMatchObject({
      activeUntil: day('2026-04-30'),
      nextPayment: day('2026-04-30'),
      numPaymentsComplete: 3,
    });
    expect(await readInvoices(service, id)).toMatchObject([
      { number: 1, status: 'paid' },
      { number: 2, status: 'paid' },
    ]);
  });

  test('is completed by the final payment, and a surplus changes only its charge', async ({
    service,
    merchant,
  }) => {
    const now = day('2026-01-15');
    const plan = await seedPlan(service, merchant, { input: { numPayments: 2 }, now });
    const { id } = await seedActiveSubscription(service, merchant, { plan, now });
    const pay = { ...toId(merchant, id), actor: 'customer', now };
    const first = await paySubscription(service, pay);
    const second = await paySubscription(service, { ...pay, method: 'hk-bank-transfer' });
    await completeCharge(service, second, now);
    expect(await readSubscription(service, id)).toMatchObject({
      status: 'completed',
      nextPayment: null,
      activeUntil: day('2026-03-15'),
      numPaymentsComplete: 2,
    });
    expect((await getEventTypes(service, { merchantId: merchant.merchant.id })).slice(-4)).toEqual([
      'CHARGE_COMPLETE',
      'charge_completed',
      'subscription_paid',
      'subscription_completed',
    ]);
    await completeCharge(service, first, now);
    expect(await readSubscription(service, id)).toMatchObject({
      status: 'completed',
      numPaymentsComplete: 2,
    });
    await expect(paySubscription(service, pay)).rejects.toMatchObject({ code: 'subscription_ended' });
  });

  test('is active immediately without a payment during a free trial', async ({ service, merchant }) => {
    const now = day('2026-01-01');
    const input = { initialPayment: { amount: 0, period: 'days', count: 14 } };
    const plan = await seedPlan(service, merchant, { input, now });
    const { subscription, charge } = await seedSubscription(service, merchant, { plan, now });
    expect(charge).toBeNull();
    expect(subscription).toMatchObject({
      status: 'active',
      activeUntil: day('2026-01-15'),
      nextPayment: day('2026-01-15'),
      numPaymentsComplete: 0,
    });
    expect(await getEventTypes(service, { merchantId: merchant.merchant.id })).toEqual([
      'subscription_created',
      'subscription_paid',
    ]);
    await renewSubscriptions(service, { now: day('2026-01-13') });
    expect(await readInvoices(service, subscription.id)).toMatchObject([{ dueAt: day('2026-01-15') }]);
  });

  test('is cancelled once, with its open invoice and charge', async ({ service, merchant }) => {
    const { id } = await seedActiveSubscription(service, merchant, { now: day('2026-01-15') });
    await renewSubscriptions(service, { now: day('2026-02-13') });
    const options = { ...toId(merchant, id), actor: 'user:test', now: day('2026-02-14') };
    expect(await cancelSubscription(service, options)).toMatchObject({
      status: 'cancelled',
      nextPayment: null,
    });
    expect(await readInvoices(service, id)).toMatchObject([{ status: 'void' }]);
    expect((await readCharges(service, id)).map(({ status }) => status)).toEqual(['completed', 'cancelled']);
    expect((await getEventTypes(service, { merchantId: merchant.merchant.id })).slice(-2)).toEqual([
      'charge_cancelled',
      'subscription_cancelled',
    ]);
    await expect(cancelSubscription(service, options)).rejects.toMatchObject({ code: 'subscription_ended' });
    expect(await readSubscription(service, id)).toMatchObject({ dueAt: null, endedAt: day('2026-02-14') });
  });

  test('uses a new method for the open charge and the next invoice', async ({ service, merchant }) => {
    const { id } = await seedActiveSubscription(service, merchant, { now: day('2026-01-15') });
    await renewSubscriptions(service, { now: day('2026-02-13') });
    const change = { ...toId(merchant, id), actor: 'customer', now: day('2026-02-14') };
    await changeSubscriptionMethod(service, { ...change, method: 'hk-bank-transfer' });
    const [, old, charge] = await readCharges(service, id);
    expect([old!.status, charge!.method]).toEqual(['cancelled', 'hk-bank-transfer']);
    expect(await readInvoices(service, id)).toMatchObject([{ chargeId: charge!.id }]);
    await completeCharge(service, charge!, day('2026-02-14'));
    await renewSubscriptions(service, { now: day('2026-03-13') });
    expect((await readCharges(service, id)).at(-1)).toMatchObject({ method: 'hk-bank-transfer' });
  });

  test('is invoiced without a charge when the method is unavailable, and paid by another method', async ({
    service,
    merchant,
  }) => {
    const { id } = await seedActiveSubscription(service, merchant, { now: day('2026-01-15') });
    const accounts = { merchantId: merchant.merchant.id, mode: 'live', method: 'fps' } as const;
    await retireAccounts(service, accounts, day('2026-02-12'));
    await renewSubscriptions(service, { now: day('2026-02-13') });
    const [invoice] = await readInvoices(service, id);
    expect(invoice).toMatchObject({ status: 'open', chargeId: null });
    const pay = { ...toId(merchant, invoice!.id), actor: 'customer', now: day('2026-02-14') };
    await expect(payInvoice(service, pay)).rejects.toMatchObject({ code: 'method_unavailable' });
    const charge = await payInvoice(service, { ...pay, method: 'hk-bank-transfer' });
    expect(await readInvoices(service, id)).toMatchObject([{ chargeId: charge.id }]);
  });
});

const started = day('2026-01-15');
async function seedLink(service: Service, merchant: NewMerchant, input: Parameters<typeof seedPlan>[2] = {}) {
  const plan = await seedPlan(service, merchant, { now: started, ...input });
  const link = await createSubscriptionLink(service, {
    ...{ merchant: merchant.merchant, mode: 'live' as const, now: started },
    input: { subscriptionPlanId: plan.id },
  });
  const enrolAs = (email: string, options: Partial<EnrolOptions> = {}) =>
    enrol(service, {
      ...{ merchant: merchant.merchant, link, method: 'fps' as const, customer: { email } },
      ...{ language: 'en', actor: 'customer', now: started, ...options },
    });
  return { plan, enrolAs };
}

const yearly = {
  recurringPayment: { amount: 1_000, period: 'years', count: 1 },
  initialPayment: { amount: 1, period: 'days', count: 1 },
  gracePeriod: 5,
};

describe('Subscription with late or repeated payments', () => {
  test('begins with the payment of its expired first charge', async ({ service, merchant }) => {
    const { subscription, charge } = await seedSubscription(service, merchant, { now: started });
    await expireCharges(service, { now: day('2026-01-20') });
    expect((await readCharges(service, subscription.id))[0]).toMatchObject({ status: 'expired' });
    await completeCharge(service, charge!, day('2026-01-31'));
    expect(await readSubscription(service, subscription.id)).toMatchObject({
      status: 'active',
      activeUntil: day('2026-02-28'),
      numPaymentsComplete: 1,
    });
  });

  test('keeps the invoice of the full price open when the lower first price is paid twice', async ({
    service,
    merchant,
  }) => {
    const plan = await seedPlan(service, merchant, { input: yearly, now: started });
    const { subscription, charge } = await seedSubscription(service, merchant, { plan, now: started });
    const { id } = subscription;
    // The first charge is paid in time but reported late, after a second charge was requested.
    const after = minutesAfter(started, 60);
    await expireCharges(service, { now: after });
    const second = await paySubscription(service, { ...toId(merchant, id), actor: 'customer', now: after });
    await payCharge(service, merchant, second, { now: after });
    await renewSubscriptions(service, { now: after });
    const before = await readSubscription(service, id);
    expect(before).toMatchObject({ status: 'active', numPaymentsComplete: 1 });

    const paidAt = minutesAfter(started, 20);
    await payCharge(service, merchant, charge!, { paidAt, now: minutesAfter(after, 5) });
    expect(await readSubscription(service, id)).toEqual(before);
    expect(await readInvoices(service, id)).toMatchObject([{ status: 'open', amount: 100_000n }]);
    const [late] = await readCharges(service, id);
    expect(late).toMatchObject({ id: charge!.id, status: 'completed', amountReceived: 100n });
    const events = await service.prisma.event.findMany({
      where: { objectId: { in: [id, late!.id] } },
      orderBy: { id: 'asc' },
    });
    expect(events.map(({ type }) => type)).toEqual([
      'subscription_created',
      'charge_created',
      'charge_expired',
      'subscription_paid',
      'CHARGE_COMPLETE',
      'charge_completed',
    ]);
    const refund = {
      merchantId: merchant.merchant.id,
      mode: 'live' as const,
      actor: 'user:ada',
      input: { chargeId: late!.id, customerAmount: 1 },
      now: after,
    };
    expect((await createRefund(service, refund)).refund.status).toBe('initiated');
  });

  test('is invoiced for an overdue period although the lower first price was paid again', async ({
    service,
    merchant,
  }) => {
    const plan = await seedPlan(service, merchant, { input: yearly, now: started });
    const { subscription, charge } = await seedSubscription(service, merchant, { plan, now: started });
    const { id } = subscription;
    await expireCharges(service, { now: minutesAfter(started, 60) });
    const options = { ...toId(merchant, id), actor: 'customer', now: minutesAfter(started, 60) };
    await completeCharge(service, await paySubscription(service, options), minutesAfter(started, 60));
    const late = day('2026-02-20');
    await completeCharge(service, charge!, late);
    expect(await readSubscription(service, id)).toMatchObject({ status: 'active', numPaymentsComplete: 1 });
    await renewSubscriptions(service, { now: late });
    expect(await readInvoices(service, id)).toMatchObject([{ status: 'open' }]);
    expect(await readSubscription(service, id)).toMatchObject({ status: 'inactive', numPaymentsComplete: 1 });
  });

  test('accepts both a charge left from a paid invoice and the charge for the next payment', async ({
    service,
    merchant,
  }) => {
    const { id } = await seedActiveSubscription(service, merchant, { now: started });
    await renewSubscriptions(service, { now: day('2026-02-14') });
    const late = day('2026-02-17');
    await expireCharges(service, { now: late });
    await renewSubscriptions(service, { now: late });
    const [invoice] = await readInvoices(service, id);
    const expired = (await readCharges(service, id)).find(({ status }) => status === 'expired');
    const options = { merchantId: merchant.merchant.id, mode: 'live' as const, actor: 'customer', now: late };
    const leftover = await payInvoice(service, { ...options, id: invoice!.id });
    await payCharge(service, merchant, expired!, { paidAt: day('2026-02-15'), now: late });
    const ahead = await paySubscription(service, { ...options, id });
    expect(ahead.id).not.toBe(leftover.id);
    const pending = (await readCharges(service, id)).filter(({ status }) => status === 'pending');
    expect(pending.map((charge) => charge.id).sort()).toEqual([leftover.id, ahead.id].sort());
    await completeCharge(service, leftover, late);
    await completeCharge(service, ahead, late);
    expect(await readSubscription(service, id)).toMatchObject({
      numPaymentsComplete: 4,
      activeUntil: day('2026-05-17'),
    });
  });

  test('is invoiced with a unique amount on an account with unique amounts', async ({
    service,
    merchant,
  }) => {
    await service.prisma.receivingAccount.updateMany({
      where: { merchantId: merchant.merchant.id, mode: 'live', method: 'fps' },
      data: { maxAmountOffset: 4 },
    });
    const plan = await seedPlan(service, merchant, { now: started });
    const first = await seedActiveSubscription(service, merchant, { plan, now: started });
    await copySubscription(
      service,
      first,
      Array.from({ length: 6 }, () => ({})),
    );
    await renewSubscriptions(service, { now: day('2026-02-13') });
    const charges = await service.prisma.charge.findMany({
      where: { merchantId: merchant.merchant.id, status: 'pending' },
    });
    const amounts = charges.map(({ customerAmount }) => customerAmount).sort();
    // Cents are added, because 1 % of the price has no room for seven amounts in whole dollars.
    expect(amounts).toEqual([10_000n, 10_001n, 10_002n, 10_003n, 10_004n, 10_005n, 10_006n]);
    expect(new Set(charges.map(({ paymentReference }) => paymentReference)).size).toBe(7);
  });
});

describe('Subscription from a link', () => {
  test('is created for each customer of a link, also for one who enters the address of another', async ({
    service,
    merchant,
  }) => {
    const { enrolAs } = await seedLink(service, merchant);
    const enrolled = await Promise.all([enrolAs('ada@example.com'), enrolAs('mei@example.com')]);
    const other = await enrolAs('ada@example.com', { method: 'hk-bank-transfer' });
    const ids = [...enrolled, other].map(({ subscription }) => subscription.id);
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(await readCharges(service, id)).toMatchObject([{ status: 'pending' }]);
  });

  test('is returned to a browser that has enrolled, and created again after it is paid', async ({
    service,
    merchant,
  }) => {
    const { enrolAs } = await seedLink(service, merchant);
    const formToken = newToken();
    const [ada, repeated] = await Promise.all([
      enrolAs('ada@example.com', { tokens: { formToken } }),
      enrolAs('ada@example.com', { tokens: { formToken } }),
    ]);
    expect(repeated.subscription.id).toBe(ada.subscription.id);
    const tokens = { pageToken: createPageToken(service.secrets, 'subscription', ada.subscription) };
    expect((await enrolAs('Ada@Example.com', { tokens })).subscription.id).toBe(ada.subscription.id);
    const others = [
      await enrolAs('mei@example.com', { tokens: { ...tokens, formToken } }),
      await enrolAs('ada@example.com', {
        tokens: { formToken: newToken(), pageToken: `${ada.subscription.id}.x` },
      }),
      await enrolAs('ada@example.com', { tokens: { formToken: '' } }),
      await enrolAs('ada@example.com', { tokens: { formToken: '' } }),
    ];
    await completeCharge(service, ada.charge!, started);
    expect(await enrolAs('ada@example.com', { tokens: { formToken } })).toMatchObject({
      subscription: { id: ada.subscription.id, status: 'active' },
      charge: null,
    });
    const second = await enrolAs('ada@example.com', { tokens: { ...tokens, formToken: newToken() } });
    const ids = [ada, ...others, second].map(({ subscription }) => subscription.id);
    expect(new Set(ids).size).toBe(6);
  });

  test('has the current methods of its plan when the plan changed after the link was created', async ({
    service,
    merchant,
  }) => {
    const { plan, enrolAs } = await seedLink(service, merchant);
    const change = { merchant: merchant.merchant, mode: 'live' as const, id: plan.id, now: started };
    await updateSubscriptionPlan(service, { ...change, input: { methods: ['hk-bank-transfer'] } });
    await expect(enrolAs('eve@example.com')).rejects.toMatchObject({ code: 'method_unavailable' });
    const { subscription } = await enrolAs('eve@example.com', { method: 'hk-bank-transfer' });
    expect(subscription.methods).toEqual(['hk-bank-transfer']);
  });
});

describe('Confirmation of a cancellation', () => {
  const subscription = { id: 'sub_1', mode: 'live', linkVersion: 3 } as Subscription;
  const text = createCancelConfirmation(testSecrets, subscription, noon);
  const after = (ms: number) => new Date(noon.getTime() + ms);
  const isValid = (changes: Partial<Subscription>, now: Date, candidate = text, secrets = testSecrets) =>
    isCancelConfirmation(secrets, { ...subscription, ...changes }, { text: candidate, now });

  test('is valid for one hour', () => {
    expect(
      [0, confirmationLifetimeMs, confirmationLifetimeMs + 1].map((ms) => isValid({}, after(ms))),
    ).toEqual([...[true, true, false]]);
  });

  test('is invalid for another subscription or mode, after its links were revoked, and with another data key', async () => {
    expect(isValid({ id: 'sub_2' }, noon)).toBe(false);
    expect(isValid({ linkVersion: 4 }, noon)).toBe(false);
    expect(isValid({ mode: 'sandbox' }, noon)).toBe(false);
    const otherSecrets = await openKeyring(async () => ({ current: newDataKey(), others: [] }));
    expect(isValid({}, noon, text, otherSecrets)).toBe(false);
  });

  test('is valid after a rotation of the data key, also in its short form', async () => {
    const [oldKey, newKey] = [newDataKey(), newDataKey()];
    const before = await openKeyring(async () => ({ current: oldKey, others: [] }));
    const rotated = await openKeyring(async () => ({ current: newKey, others: [oldKey] }));
    const retired = await openKeyring(async () => ({ current: newKey, others: [] }));
    expect(isValid({}, noon, createCancelConfirmation(before, subscription, noon), rotated)).toBe(true);
    const short = createShortConfirmation(before, subscription, noon);
    const expanded = expandConfirmation(rotated, subscription, short);
    expect(isValid({}, noon, expanded, rotated)).toBe(true);
    expect(expandConfirmation(retired, subscription, short)).toBeUndefined();
  });

  test('is invalid with another time or without one', () => {
    const [endsAt = '', signature = ''] = text.split('.');
    const later = `${Number(endsAt) + 1}.${signature}`;
    for (const forged of [
      later,
      `0${text}`,
      `.${signature}`,
      signature,
      endsAt,
      `1e99.${signature}`,
      `${text} `,
      '',
    ])
      expect([forged, isValid({}, noon, forged)]).toEqual([forged, false]);
  });
});
