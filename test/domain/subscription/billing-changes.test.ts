import { describe, expect } from 'vitest';
import type { Charge } from '../../../prisma/client/client.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { markInvoicePaid } from '../../../src/domain/billing/collection/mark-invoice-paid.ts';
import { paySubscription } from '../../../src/domain/billing/collection/pay-subscription.ts';
import { renewSubscriptions } from '../../../src/domain/billing/collection/renew-subscriptions.ts';
import { resendInvoice } from '../../../src/domain/billing/collection/resend-invoice.ts';
import { voidInvoice } from '../../../src/domain/billing/collection/void-invoice.ts';
import { cancelSubscription } from '../../../src/domain/billing/subscription/cancel-subscription.ts';
import { changeSubscriptionTerms } from '../../../src/domain/billing/subscription/change-subscription-terms.ts';
import { findTermsChanges } from '../../../src/domain/billing/subscription/find-terms-changes.ts';
import {
  pauseSubscription,
  resumeSubscription,
} from '../../../src/domain/billing/subscription/pause-subscription.ts';
import { replaceSubscriptionLinks } from '../../../src/domain/billing/subscription/replace-subscription-links.ts';
import { skipPayment } from '../../../src/domain/billing/subscription/skip-payment.ts';
import { assignTransfer } from '../../../src/domain/money-in/transfer/review/assign-transfer.ts';
import { unassignTransfer } from '../../../src/domain/money-in/transfer/review/unassign-transfer.ts';
import { expireCharges } from '../../../src/domain/payments/charge/expire-charges.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { getEventTypes } from '../../setup/database-state.ts';
import { serviceTest } from '../../setup/fixtures.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { day, seedMerchant } from '../../setup/seed.ts';
import {
  completeCharge,
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

/** The options of a change by a user of the merchant. */
function change({ merchant }: NewMerchant, id: string, now: Date) {
  const actor = 'user:usr_1';
  return { merchantId: merchant.id, mode: 'live' as const, id, actor, now, audit: { actor, now } };
}

/** A subscription of HKD 100 a month since 15 January, paid until 15 February, with emails. */
async function seedTea(service: Service, merchant: NewMerchant, input = {}) {
  const now = day('2026-01-15');
  const plan = await seedPlan(service, merchant, { input: { sendEmail: true, ...input }, now });
  return seedActiveSubscription(service, merchant, { plan, now });
}

/** The same on 13 February, with an open invoice. */
async function seedInvoicedTea(service: Service, merchant: NewMerchant, input = {}) {
  const { id } = await seedTea(service, merchant, input);
  await renewSubscriptions(service, { now: day('2026-02-13') });
  const [invoice] = await readInvoices(service, id);
  return { id, invoice: invoice! };
}

const readMails = async (service: Service, { merchant }: NewMerchant, kind: string) => {
  const where = { kind, merchantId: merchant.id };
  const mails = await service.prisma.message.findMany({ where, orderBy: { id: 'asc' } });
  return mails.map(({ status }) => status);
};

/** Whether the renewal job has run since the grace period is over. */
const jobStates = ['the job has paused the subscription', 'the job has not yet paused it'] as const;

describe('Pause by the merchant', () => {
  test('ends the requests for payment, and a resumption adds the paid time that was left', async ({
    service,
    merchant,
  }) => {
    const { id } = await seedInvoicedTea(service, merchant);
    // Two days of the paid month are left.
    const paused = await pauseSubscription(service, change(merchant, id, day('2026-02-13')));
    expect(paused).toMatchObject({ status: 'inactive', nextPayment: null, dueAt: null });
    expect((await readInvoices(service, id)).map(({ status }) => status)).toEqual(['void']);
    expect((await readCharges(service, id)).map(({ status }) => status)).toEqual(['completed', 'cancelled']);
    await renewSubscriptions(service, { now: day('2026-05-01') });
    expect(await readInvoices(service, id)).toHaveLength(1);
    const resumed = await resumeSubscription(service, change(merchant, id, day('2026-05-10')));
    const end = day('2026-05-12');
    expect(resumed).toMatchObject({ status: 'active', activeUntil: end, nextPayment: end, pausedAt: null });
    await renewSubscriptions(service, { now: day('2026-05-10') });
    expect((await readInvoices(service, id)).at(-1)).toMatchObject({ status: 'open', dueAt: end });
    expect(await readMails(service, merchant, 'subscription-changed')).toHaveLength(2);
    expect((await getEventTypes(service, { objectId: id })).slice(2)).toEqual([
      'subscription_paused',
      'subscription_resumed',
    ]);
  });

  test('is possible after a missed payment, and the next payment is due at once on resumption', async ({
    service,
    merchant,
  }) => {
    const { id } = await seedInvoicedTea(service, merchant);
    await renewSubscriptions(service, { now: day('2026-02-17') });
    expect(await readSubscription(service, id)).toMatchObject({ status: 'inactive', pausedAt: null });
    await pauseSubscription(service, change(merchant, id, day('2026-02-18')));
    const resumed = await resumeSubscription(service, change(merchant, id, day('2026-03-01')));
    expect(resumed).toMatchObject({ status: 'active', nextPayment: day('2026-03-01') });
  });

  test('until a date resumes on its own, and the next payment is as far from that date as it was from the pause', async ({
    service,
    merchant,
  }) => {
    const { id } = await seedTea(service, merchant);
    const options = change(merchant, id, day('2026-02-01'));
    for (const resumesAt of [day('2026-02-01'), day('2036-02-02')]) {
      const pause = pauseSubscription(service, { ...options, resumesAt });
      await expect(pause).rejects.toMatchObject({ code: 'invalid_request' });
    }
    const resumesAt = day('2026-03-01');
    const paused = await pauseSubscription(service, { ...options, resumesAt });
    expect(paused).toMatchObject({ status: 'inactive', nextPayment: null, resumesAt, dueAt: resumesAt });
    await renewSubscriptions(service, { now: new Date(resumesAt.getTime() - 1) });
    expect(await readSubscription(service, id)).toMatchObject({ status: 'inactive', resumesAt });
    // The job runs three days late, which changes nothing for the customer.
    await renewSubscriptions(service, { now: day('2026-03-04') });
    const end = day('2026-03-15');
    expect(await readSubscription(service, id)).toMatchObject({
      ...{ status: 'active', activeUntil: end, nextPayment: end, pausedAt: null, resumesAt: null },
    });
    await renewSubscriptions(service, { now: day('2026-03-13') });
    expect(await readInvoices(service, id)).toMatchObject([{ status: 'open', dueAt: end }]);
    const events = await service.prisma.event.findMany({ where: { objectId: id }, orderBy: { id: 'asc' } });
    expect(events.slice(2).map(({ type, actor }) => [type, actor])).toEqual([
      ['subscription_paused', 'user:usr_1'],
      ['subscription_resumed', 'job:renew-subscriptions'],
    ]);
    expect(await readMails(service, merchant, 'subscription-changed')).toHaveLength(2);
    const [entry] = await service.prisma.auditEntry.findMany({ where: { objectId: id } });
    expect(entry).toMatchObject({
      action: 'subscription.paused',
      detail: { resumesAt: resumesAt.toISOString() },
    });
  });

  test('until a date is resumed before a payment after that date is applied, and manually at any time', async ({
    service,
    merchant,
  }) => {
    const { id } = await seedInvoicedTea(service, merchant);
    const resumesAt = day('2026-03-01');
    await pauseSubscription(service, { ...change(merchant, id, day('2026-02-13')), resumesAt });
    const [, charge] = await readCharges(service, id);
    // The job has not run. With the grace period of a day, the subscription was unpaid from 4 March on.
    await completeCharge(service, charge!, day('2026-03-20'));
    expect(await readSubscription(service, id)).toMatchObject({
      ...{ status: 'active', resumesAt: null, activeUntil: day('2026-04-20') },
    });
    expect((await getEventTypes(service, { objectId: id })).slice(-4)).toEqual([
      'subscription_paused',
      'subscription_resumed',
      'subscription_paused',
      'subscription_paid',
    ]);
    const pause = { ...change(merchant, id, day('2026-04-01')), resumesAt: day('2026-05-01') };
    await pauseSubscription(service, pause);
    const resumed = await resumeSubscription(service, change(merchant, id, day('2026-04-02')));
    expect(resumed).toMatchObject({ status: 'active', resumesAt: null, activeUntil: day('2026-04-21') });
  });

  test('rejects a payment ahead by the customer, a second pause, and a resumption without a pause', async ({
    service,
    merchant,
  }) => {
    const { id } = await seedTea(service, merchant);
    const now = day('2026-01-20');
    const options = change(merchant, id, now);
    await expect(resumeSubscription(service, options)).rejects.toMatchObject({
      code: 'subscription_not_paused',
    });
    await pauseSubscription(service, options);
    await expect(pauseSubscription(service, options)).rejects.toMatchObject({ code: 'subscription_paused' });
    await expect(skipPayment(service, options)).rejects.toMatchObject({ code: 'subscription_paused' });
    const pay = paySubscription(service, { ...options, actor: 'customer' });
    await expect(pay).rejects.toMatchObject({ code: 'subscription_paused' });
  });

  test('is not possible before the first payment', async ({ service, merchant }) => {
    const now = day('2026-01-15');
    const { subscription } = await seedSubscription(service, merchant, { now });
    const pause = pauseSubscription(service, change(merchant, subscription.id, now));
    await expect(pause).rejects.toMatchObject({ code: 'subscription_unstarted' });
  });

  test('ends with a payment that still arrives, which is added to the paid time that was left', async ({
    service,
    merchant,
  }) => {
    const { id } = await seedInvoicedTea(service, merchant);
    await pauseSubscription(service, change(merchant, id, day('2026-02-13')));
    const [, charge] = await readCharges(service, id);
    // The merchant assigns a late transfer to the cancelled charge.
    await completeCharge(service, charge!, day('2026-03-01'));
    expect(await readSubscription(service, id)).toMatchObject({
      status: 'active',
      pausedAt: null,
      activeUntil: day('2026-04-03'),
      numPaymentsComplete: 2,
    });
  });
});

describe('Skipped payment', () => {
  test('voids the open invoice and moves the subscription on by one interval without counting', async ({
    service,
    merchant,
  }) => {
    const { id } = await seedInvoicedTea(service, merchant);
    const skipped = await skipPayment(service, change(merchant, id, day('2026-02-14')));
    expect(skipped).toMatchObject({
      status: 'active',
      nextPayment: day('2026-03-15'),
      activeUntil: day('2026-03-15'),
      numPaymentsComplete: 1,
    });
    await renewSubscriptions(service, { now: day('2026-03-13') });
    expect(await readInvoices(service, id)).toMatchObject([
      { status: 'void', number: 1 },
      { status: 'open', number: 2, dueAt: day('2026-03-15') },
    ]);
  });

  test.for(jobStates)(
    'is rejected when the grace period is over, if %s',
    async (state, { service, merchant }) => {
      const { id } = await seedInvoicedTea(service, merchant);
      if (state === jobStates[0]) await renewSubscriptions(service, { now: day('2026-02-17') });
      const skip = skipPayment(service, change(merchant, id, day('2026-02-18')));
      await expect(skip).rejects.toMatchObject({ code: 'subscription_paused' });
      expect(await readInvoices(service, id)).toMatchObject([{ status: 'open' }]);
    },
  );

  test('resumes a subscription first whose pause is over', async ({ service, merchant }) => {
    const { id } = await seedTea(service, merchant);
    const resumesAt = day('2026-03-01');
    await pauseSubscription(service, { ...change(merchant, id, day('2026-02-01')), resumesAt });
    const skipped = await skipPayment(service, change(merchant, id, day('2026-03-02')));
    expect(skipped).toMatchObject({ status: 'active', resumesAt: null, activeUntil: day('2026-04-15') });
  });
});

describe('New terms', () => {
  test('apply from the next invoice on: an open invoice keeps its price and its interval', async ({
    service,
    merchant,
  }) => {
    const { id, invoice } = await seedInvoicedTea(service, merchant);
    const recurringPayment = { amount: 900, period: 'years', count: 1 } as const;
    const yearly = await seedPlan(service, merchant, { input: { recurringPayment }, now: day('2026-02-13') });
    const options = change(merchant, id, day('2026-02-14'));
    const changed = await changeSubscriptionTerms(service, {
      ...options,
      input: { subscriptionPlanId: yearly.id },
    });
    expect(changed).toMatchObject({ planId: yearly.id, amount: 90_000n, activeUntil: day('2026-02-15') });
    const [, charge] = await readCharges(service, id);
    await completeCharge(service, charge!, day('2026-02-14'));
    expect(await readSubscription(service, id)).toMatchObject({ activeUntil: day('2026-03-15') });
    await renewSubscriptions(service, { now: day('2026-03-13') });
    expect(await readInvoices(service, id)).toMatchObject([
      { id: invoice.id, status: 'paid', amount: 10_000n, periodEnd: day('2026-03-15') },
      { status: 'open', amount: 90_000n, periodStart: day('2026-03-15'), periodEnd: day('2027-03-15') },
    ]);
  });

  test('can be a price for one subscription, which an email announces', async ({ service, merchant }) => {
    const { id, planId } = await seedTea(service, merchant);
    const options = change(merchant, id, day('2026-01-20'));
    await changeSubscriptionTerms(service, { ...options, input: { amount: '80' } });
    await renewSubscriptions(service, { now: day('2026-02-13') });
    expect(await readInvoices(service, id)).toMatchObject([{ amount: 8_000n }]);
    expect(await readMails(service, merchant, 'subscription-changed')).toHaveLength(1);
    const [entry] = await service.prisma.auditEntry.findMany({ where: { objectId: id } });
    expect(entry).toMatchObject({
      action: 'subscription.terms_changed',
      detail: { price: { from: '100.00', to: '80.00' }, currency: 'HKD' },
    });
    const changes = await findTermsChanges(service, { ...options, ids: [id] });
    const plan = { id: planId };
    expect(changes.get(id)).toMatchObject([
      { planBefore: plan, priceBefore: '100.00', planAfter: plan, priceAfter: '80.00' },
    ]);
  });

  test('do not count a second first payment as a renewal below the price at enrolment', async ({
    service,
    merchant,
  }) => {
    const now = day('2026-01-15');
    const plan = await seedPlan(service, merchant, { input: { initialPayment: { amount: 60 } }, now });
    const { id } = await seedActiveSubscription(service, merchant, { plan, now });
    const options = change(merchant, id, day('2026-01-20'));
    await changeSubscriptionTerms(service, { ...options, input: { amount: '50' } });
    expect(await readSubscription(service, id)).toMatchObject({ numPaymentsComplete: 1, amount: 5_000n });
  });

  test('above the first price are not paid by a second first payment', async ({ service, merchant }) => {
    const now = day('2026-01-15');
    const { subscription, charge } = await seedSubscription(service, merchant, { now });
    const { id } = subscription;
    await expireCharges(service, { now: day('2026-01-16') });
    const pay = { ...change(merchant, id, day('2026-01-16')), actor: 'customer' };
    await completeCharge(service, await paySubscription(service, pay), pay.now);
    await changeSubscriptionTerms(service, { ...pay, input: { amount: 120 } });
    await renewSubscriptions(service, { now: day('2026-02-14') });
    const before = await readSubscription(service, id);
    await completeCharge(service, charge!, day('2026-02-15'));
    expect(await readSubscription(service, id)).toEqual(before);
    expect(await readInvoices(service, id)).toMatchObject([{ status: 'open', amount: 12_000n }]);
  });

  test('are rejected for a closed plan, another currency, or a plan whose payments are all made', async ({
    service,
    merchant,
  }) => {
    const { id } = await seedTea(service, merchant);
    const now = day('2026-01-20');
    const closed = await seedPlan(service, merchant, { now });
    await service.prisma.subscriptionPlan.update({ where: { id: closed.id }, data: { status: 'inactive' } });
    const dollars = await seedPlan(service, merchant, { input: { currency: 'USD' }, now });
    const short = await seedPlan(service, merchant, { input: { numPayments: 1 }, now });
    const changeTo = (subscriptionPlanId: string) =>
      changeSubscriptionTerms(service, { ...change(merchant, id, now), input: { subscriptionPlanId } });
    await expect(changeTo(closed.id)).rejects.toMatchObject({ code: 'subscription_plan_inactive' });
    await expect(changeTo(dollars.id)).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(changeTo(short.id)).rejects.toMatchObject({ code: 'invalid_request' });
  });
});

describe('New links', () => {
  test('replace those of the subscription and all its invoices, with an email and an audit entry', async ({
    service,
    merchant,
  }) => {
    const { id } = await seedInvoicedTea(service, merchant);
    const [, charge] = await readCharges(service, id);
    await completeCharge(service, charge!, day('2026-02-14'));
    await renewSubscriptions(service, { now: day('2026-03-13') });
    expect(await readMails(service, merchant, 'invoice-due')).toEqual(['pending']);
    const before = await readSubscription(service, id);
    await replaceSubscriptionLinks(service, change(merchant, id, day('2026-03-14')));
    const { linkVersion, status, dueAt } = await readSubscription(service, id);
    expect({ linkVersion, status, dueAt }).toEqual({ linkVersion: 1, status: 'active', dueAt: before.dueAt });
    expect((await readInvoices(service, id)).map((invoice) => invoice.linkVersion)).toEqual([1, 1]);
    // The link in the unsent email about the open invoice no longer works.
    expect(await readMails(service, merchant, 'invoice-due')).toEqual([]);
    expect(await readMails(service, merchant, 'subscription-changed')).toHaveLength(1);
    const [entry] = await service.prisma.auditEntry.findMany({ where: { objectId: id } });
    expect(entry).toMatchObject({ action: 'subscription.links_replaced', actor: 'user:usr_1' });
  });

  test('are possible for an ended subscription, but not for one of another merchant', async ({
    service,
    merchant,
  }) => {
    const { id } = await seedTea(service, merchant);
    const options = change(merchant, id, day('2026-01-20'));
    await cancelSubscription(service, options);
    const ended = await readSubscription(service, id);
    const replaced = await replaceSubscriptionLinks(service, { ...options, now: day('2026-01-21') });
    expect(replaced).toMatchObject({ linkVersion: 1, status: 'cancelled', endedAt: ended.endedAt });
    const other = await seedMerchant(service, { name: 'Pier Coffee' }, day('2026-01-01'));
    await expect(
      replaceSubscriptionLinks(service, change(other, id, day('2026-01-21'))),
    ).rejects.toMatchObject({
      code: 'subscription_not_found',
    });
  });
});

describe('Invoice', () => {
  test('that is marked as paid extends the subscription without a charge', async ({ service, merchant }) => {
    const { id, invoice } = await seedInvoicedTea(service, merchant);
    const options = change(merchant, invoice.id, day('2026-02-14'));
    const paid = await markInvoicePaid(service, { ...options, note: 'cash' });
    expect(paid).toMatchObject({ status: 'paid', paidExternally: true, chargeId: null });
    expect(await readSubscription(service, id)).toMatchObject({
      status: 'active',
      activeUntil: day('2026-03-15'),
      numPaymentsComplete: 2,
    });
    expect((await readCharges(service, id)).map(({ status }) => status)).toEqual(['completed', 'cancelled']);
    await expect(markInvoicePaid(service, options)).rejects.toMatchObject({ code: 'invoice_not_open' });
  });

  test.for(jobStates)(
    'that is marked as paid after the grace period covers a period from then on, and completes the plan, if %s',
    async (state, { service, merchant }) => {
      const { id, invoice } = await seedInvoicedTea(service, merchant, { numPayments: 2 });
      if (state === jobStates[0]) await renewSubscriptions(service, { now: day('2026-02-20') });
      await markInvoicePaid(service, change(merchant, invoice.id, day('2026-02-21')));
      expect(await readInvoices(service, id)).toMatchObject([
        { status: 'paid', periodStart: day('2026-02-21'), periodEnd: day('2026-03-21') },
      ]);
      expect(await readSubscription(service, id)).toMatchObject({ status: 'completed' });
      expect((await getEventTypes(service, { objectId: id })).slice(-3)).toEqual([
        'subscription_paused',
        'subscription_paid',
        'subscription_completed',
      ]);
    },
  );

  test('that is voided is not requested again: the subscription continues with the next period', async ({
    service,
    merchant,
  }) => {
    const { id, invoice } = await seedInvoicedTea(service, merchant);
    const options = change(merchant, invoice.id, day('2026-02-14'));
    expect(await voidInvoice(service, { ...options, isReissued: false })).toMatchObject({ status: 'void' });
    expect(await readSubscription(service, id)).toMatchObject({ nextPayment: day('2026-03-15') });
    expect(await readMails(service, merchant, 'subscription-changed')).toEqual(['pending']);
  });

  test.for(jobStates)(
    'that is voided after a missed payment leaves the subscription paused, and the customer can pay later, if %s',
    async (state, { service, merchant }) => {
      const { id, invoice } = await seedInvoicedTea(service, merchant);
      if (state === jobStates[0]) await renewSubscriptions(service, { now: day('2026-02-17') });
      const options = change(merchant, invoice.id, day('2026-02-18'));
      await voidInvoice(service, { ...options, isReissued: false });
      expect(await readSubscription(service, id)).toMatchObject({ status: 'inactive', dueAt: null });
      expect((await readCharges(service, id)).map(({ status }) => status)).toEqual([
        'completed',
        'cancelled',
      ]);
      const now = day('2026-04-01');
      const pay = { ...change(merchant, id, now), actor: 'customer' };
      await completeCharge(service, await paySubscription(service, pay), now);
      expect(await readSubscription(service, id)).toMatchObject({
        status: 'active',
        activeUntil: day('2026-05-01'),
      });
    },
  );

  test('that is reissued after the grace period is due in a paused subscription, if the job has not yet paused it', async ({
    service,
    merchant,
  }) => {
    const { id, invoice } = await seedInvoicedTea(service, merchant);
    await voidInvoice(service, { ...change(merchant, invoice.id, day('2026-02-18')), isReissued: true });
    expect(await readSubscription(service, id)).toMatchObject({ status: 'inactive', dueAt: null });
    expect((await readInvoices(service, id)).map(({ status }) => status)).toEqual(['void', 'open']);
    expect((await readCharges(service, id)).map(({ status }) => status).toSorted()).toEqual([
      'cancelled',
      'completed',
      'pending',
    ]);
  });

  test('that is reissued gets a new number, the current terms and a charge', async ({
    service,
    merchant,
  }) => {
    const { id, invoice } = await seedInvoicedTea(service, merchant);
    const now = day('2026-02-14');
    await changeSubscriptionTerms(service, { ...change(merchant, id, now), input: { amount: 120 } });
    await voidInvoice(service, { ...change(merchant, invoice.id, now), isReissued: true });
    const [voided, reissued] = await readInvoices(service, id);
    expect(voided).toMatchObject({
      ...{ status: 'void', number: 1, amount: 10_000n, voidedAt: now, replacedById: reissued!.id },
    });
    expect(reissued).toMatchObject({ status: 'open', number: 2, amount: 12_000n, dueAt: day('2026-02-15') });
    const charges = await readCharges(service, id);
    expect(charges.at(-1)).toMatchObject({ id: reissued!.chargeId, merchantAmount: 12_000n });
    await completeCharge(service, charges.at(-1)!, now);
    expect(await readSubscription(service, id)).toMatchObject({ activeUntil: day('2026-03-15') });
  });

  test('that replaces a cheaper one is not paid by the charge of that one, whose money can be assigned to it', async ({
    service,
    merchant,
  }) => {
    const { id, invoice } = await seedInvoicedTea(service, merchant);
    const now = day('2026-02-14');
    await changeSubscriptionTerms(service, { ...change(merchant, id, now), input: { amount: 120 } });
    await voidInvoice(service, { ...change(merchant, invoice.id, now), isReissued: true });
    const [, cancelled, current] = await readCharges(service, id);
    const before = await readSubscription(service, id);
    const { transferId, reason } = await payCharge(service, merchant, cancelled!, { now });
    expect(reason).toBe('charge_cancelled');

    const decision = { ...change(merchant, id, now), merchant: merchant.merchant };
    const assign = (charge: Charge) => {
      const assignment = { transferId: transferId!, parts: [{ chargeId: charge.id }] };
      return assignTransfer(service, { ...decision, assignment });
    };
    expect(await assign(cancelled!)).toMatchObject({ charges: [{ status: 'completed' }] });
    expect(await readSubscription(service, id)).toEqual(before);
    const [, open] = await readInvoices(service, id);
    expect(open).toMatchObject({ status: 'open', chargeId: current!.id });
    await expectInvariants(service);

    const input = { transferId: transferId!, chargeId: cancelled!.id };
    await unassignTransfer(service, { ...decision, input });
    expect(await assign(current!)).toMatchObject({
      charges: [{ status: 'pending', amountReceived: 10_000n }],
    });
    await payCharge(service, merchant, current!, { minor: 2_000n, now });
    expect((await readInvoices(service, id))[1]).toMatchObject({ status: 'paid', chargeId: current!.id });
    expect(await readSubscription(service, id)).toMatchObject({ numPaymentsComplete: 2 });
  });

  test('that replaces one of the same amount is also paid by the charge of that one', async ({
    service,
    merchant,
  }) => {
    const { id, invoice } = await seedInvoicedTea(service, merchant);
    const now = day('2026-02-14');
    await voidInvoice(service, { ...change(merchant, invoice.id, now), isReissued: true });
    const [, cancelled] = await readCharges(service, id);
    await completeCharge(service, cancelled!, now);
    expect((await readInvoices(service, id))[1]).toMatchObject({ status: 'paid', chargeId: cancelled!.id });
  });

  test('that is sent again gets a new charge if the last one has expired, at most once an hour', async ({
    service,
    merchant,
  }) => {
    const { id, invoice } = await seedInvoicedTea(service, merchant);
    const now = day('2026-02-18');
    await renewSubscriptions(service, { now });
    await expireCharges(service, { now });
    // The test clock of a sandbox may be ahead of the system time.
    const audit = { actor: 'user:usr_1', now: day('2026-01-15') };
    const options = { ...change(merchant, invoice.id, now), audit };
    const resent = await resendInvoice(service, options);
    expect(resent.resentAt).toEqual(now);
    const charges = await readCharges(service, id);
    expect(charges.at(-1)).toMatchObject({ status: 'pending', id: resent.chargeId });
    expect(resent.chargeId).not.toBe(invoice.chargeId);
    await expect(resendInvoice(service, options)).rejects.toMatchObject({
      code: 'rate_limited',
      message: 'Invoice 1 was sent again less than an hour ago. Try again later.',
    });
    expect((await readMails(service, merchant, 'invoice-due')).length).toBe(2);
  });

  test('shows its tax, the period and the tax number of the merchant as of its creation', async ({
    service,
    merchant,
  }) => {
    const { id: merchantId } = merchant.merchant;
    await service.prisma.merchant.update({ where: { id: merchantId }, data: { taxNumber: 'M2-1234567-8' } });
    const tax = { name: 'GST', rate: 9, isInclusive: false };
    const { id } = await seedInvoicedTea(service, merchant, { tax });
    const [invoice] = await readInvoices(service, id);
    expect(invoice).toMatchObject({
      ...{ amount: 10_900n, taxAmount: 900n, taxName: 'GST', merchantTaxNumber: 'M2-1234567-8' },
      ...{ periodStart: day('2026-02-15'), periodEnd: day('2026-03-15') },
    });
    const [first, renewal] = await readCharges(service, id);
    expect([first!.merchantAmount, renewal!.merchantAmount]).toEqual([10_900n, 10_900n]);
  });
});
