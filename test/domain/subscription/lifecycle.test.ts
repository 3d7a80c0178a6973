import { expect, test } from 'vitest';
import { payInvoice } from '../../../src/domain/billing/invoice/pay-invoice.ts';
import { cancelSubscription } from '../../../src/domain/billing/subscription/cancel-subscription.ts';
import { changeSubscriptionMethod } from '../../../src/domain/billing/subscription/change-subscription-method.ts';
import { paySubscription } from '../../../src/domain/billing/subscription/pay-subscription.ts';
import { renewSubscriptions } from '../../../src/domain/billing/subscription/renew-subscriptions.ts';
import { expireCharges } from '../../../src/domain/payments/charge/expire-charges.ts';
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { getEventTypes } from '../../setup/database-state.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { retireAccounts } from '../../setup/receiving-accounts.ts';
import { day, seedMerchant } from '../../setup/seed.ts';
import { setupService } from '../../setup/service.ts';
import {
  completeCharge,
  readCharges,
  readInvoices,
  readSubscription,
  seedActiveSubscription,
  seedPlan,
  seedSubscription,
} from '../../setup/subscriptions.ts';

const onCleanup = cleanupAfterFile();

const service = await setupService(onCleanup);
const shop = (now: Date) => seedMerchant(service, { name: 'Shop' }, now);
const owned = (merchantId: string, id: string) => ({ merchantId, mode: 'live' as const, id });

test('enrolment makes an inactive subscription and its charge, and tells of both in this order', async () => {
  const merchant = await shop(day('2026-01-31'));
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

test('asked again before paying, enrolment gives the same subscription and charge; another method replaces the charge', async () => {
  const now = day('2026-01-31');
  const merchant = await shop(now);
  const { subscription, charge } = await seedSubscription(service, merchant, { now });
  const pay = { ...owned(merchant.merchant.id, subscription.id), actor: 'customer', now };
  expect((await paySubscription(service, pay)).id).toBe(charge!.id);
  const other = await paySubscription(service, { ...pay, method: 'hk-bank-transfer' });
  expect(other.id).not.toBe(charge!.id);
  expect((await readCharges(service, subscription.id)).map(({ status }) => status)).toEqual([
    'cancelled',
    'pending',
  ]);
});

test('an enrolment whose charge expired stays inactive, uninvoiced, and is paid by a new charge', async () => {
  const now = day('2026-01-31');
  const merchant = await shop(now);
  const { subscription } = await seedSubscription(service, merchant, { now });
  const later = day('2026-03-05');
  await expireCharges(service, { now: later });
  await renewSubscriptions(service, { now: later });
  expect(await readInvoices(service, subscription.id)).toEqual([]);
  const options = { ...owned(merchant.merchant.id, subscription.id), actor: 'customer', now: later };
  await completeCharge(service, await paySubscription(service, options), later);
  expect(await readSubscription(service, subscription.id)).toMatchObject({
    status: 'active',
    activeUntil: day('2026-04-05'),
    numPaymentsComplete: 1,
  });
});

test('the first payment begins it, with the events in the documented order', async () => {
  const now = day('2026-01-31');
  const merchant = await shop(now);
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

test('the renewal: an invoice with its charge ahead of time, paid, and the 31st is kept', async () => {
  const merchant = await shop(day('2026-01-31'));
  const { id } = await seedActiveSubscription(service, merchant, { now: day('2026-01-31') });
  // A plan that takes nobody new any more: who has subscribed goes on.
  const { id: merchantId } = merchant.merchant;
  await service.prisma.subscriptionPlan.updateMany({ where: { merchantId }, data: { status: 'inactive' } });
  await renewSubscriptions(service, { now: day('2026-02-25') });
  expect(await readInvoices(service, id)).toEqual([]);
  await renewSubscriptions(service, { now: day('2026-02-26') });
  await renewSubscriptions(service, { now: day('2026-02-26') });
  const [invoice, ...more] = await readInvoices(service, id);
  expect(more).toEqual([]);
  expect(invoice).toMatchObject({ number: 1, status: 'open', dueOn: day('2026-02-28'), amount: 10_000n });
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

test('after the grace it is paused; the invoice stays payable, and the payment sets the day anew', async () => {
  const merchant = await shop(day('2026-01-31'));
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
  const pay = { ...owned(merchant.merchant.id, invoice!.id), actor: 'customer', now: day('2026-03-15') };
  const charge = await payInvoice(service, { ...pay, method: 'hk-bank-transfer' });
  expect(charge).toMatchObject({ invoiceId: invoice!.id, method: 'hk-bank-transfer' });
  await completeCharge(service, charge, day('2026-03-15'));
  expect(await readSubscription(service, id)).toMatchObject({
    status: 'active',
    activeUntil: day('2026-04-15'),
    method: 'hk-bank-transfer',
  });
});

test('a charge that completes after it expired counts, and is not asked for twice', async () => {
  const merchant = await shop(day('2026-01-15'));
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

test('paid ahead of time, the dates move by several periods', async () => {
  const now = day('2026-01-31');
  const merchant = await shop(now);
  const { id } = await seedActiveSubscription(service, merchant, { now });
  const pay = { ...owned(merchant.merchant.id, id), actor: 'customer', now };
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

test('the final payment completes it; a surplus changes nothing but stands on its charge', async () => {
  const now = day('2026-01-15');
  const merchant = await shop(now);
  const plan = await seedPlan(service, merchant, { input: { numPayments: 2 }, now });
  const { id } = await seedActiveSubscription(service, merchant, { plan, now });
  const pay = { ...owned(merchant.merchant.id, id), actor: 'customer', now };
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
  expect(await readSubscription(service, id)).toMatchObject({ status: 'completed', numPaymentsComplete: 2 });
  await expect(paySubscription(service, pay)).rejects.toMatchObject({ code: 'subscription_ended' });
});

test('a free start is active at once and counts no payment', async () => {
  const now = day('2026-01-01');
  const merchant = await shop(now);
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
  expect(await readInvoices(service, subscription.id)).toMatchObject([{ dueOn: day('2026-01-15') }]);
});

test('cancelling ends the open invoice and charge, once', async () => {
  const merchant = await shop(day('2026-01-15'));
  const { id } = await seedActiveSubscription(service, merchant, { now: day('2026-01-15') });
  await renewSubscriptions(service, { now: day('2026-02-13') });
  const options = { ...owned(merchant.merchant.id, id), actor: 'user:test', now: day('2026-02-14') };
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

test('another method replaces the open charge and is kept for the next invoice', async () => {
  const merchant = await shop(day('2026-01-15'));
  const { id } = await seedActiveSubscription(service, merchant, { now: day('2026-01-15') });
  await renewSubscriptions(service, { now: day('2026-02-13') });
  const change = { ...owned(merchant.merchant.id, id), actor: 'customer', now: day('2026-02-14') };
  await changeSubscriptionMethod(service, { ...change, method: 'hk-bank-transfer' });
  const [, old, charge] = await readCharges(service, id);
  expect([old!.status, charge!.method]).toEqual(['cancelled', 'hk-bank-transfer']);
  expect(await readInvoices(service, id)).toMatchObject([{ chargeId: charge!.id }]);
  await completeCharge(service, charge!, day('2026-02-14'));
  await renewSubscriptions(service, { now: day('2026-03-13') });
  expect((await readCharges(service, id)).at(-1)).toMatchObject({ method: 'hk-bank-transfer' });
});

test('with a method that is gone, the invoice is made without a charge and paid by another', async () => {
  const merchant = await shop(day('2026-01-15'));
  const { id } = await seedActiveSubscription(service, merchant, { now: day('2026-01-15') });
  const accounts = { merchantId: merchant.merchant.id, mode: 'live', method: 'fps' } as const;
  await retireAccounts(service, accounts, day('2026-02-12'));
  await renewSubscriptions(service, { now: day('2026-02-13') });
  const [invoice] = await readInvoices(service, id);
  expect(invoice).toMatchObject({ status: 'open', chargeId: null });
  const pay = { ...owned(merchant.merchant.id, invoice!.id), actor: 'customer', now: day('2026-02-14') };
  await expect(payInvoice(service, pay)).rejects.toMatchObject({ code: 'method_unavailable' });
  const charge = await payInvoice(service, { ...pay, method: 'hk-bank-transfer' });
  expect(await readInvoices(service, id)).toMatchObject([{ chargeId: charge.id }]);
});

test('nothing above has broken a promise of the database', async () => {
  await expectInvariants(service);
});
