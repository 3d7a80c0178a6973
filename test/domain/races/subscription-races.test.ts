import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { Charge, Subscription } from '../../../prisma/client/client.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { markInvoicePaid } from '../../../src/domain/billing/collection/mark-invoice-paid.ts';
import { payInvoice } from '../../../src/domain/billing/collection/pay-invoice.ts';
import { paySubscription } from '../../../src/domain/billing/collection/pay-subscription.ts';
import { renewSubscriptions } from '../../../src/domain/billing/collection/renew-subscriptions.ts';
import { resendInvoice } from '../../../src/domain/billing/collection/resend-invoice.ts';
import { voidInvoice } from '../../../src/domain/billing/collection/void-invoice.ts';
import { addInterval } from '../../../src/domain/billing/subscription/calendar.ts';
import { cancelSubscription } from '../../../src/domain/billing/subscription/cancel-subscription.ts';
import { changeSubscriptionMethod } from '../../../src/domain/billing/subscription/change-subscription-method.ts';
import { changeSubscriptionTerms } from '../../../src/domain/billing/subscription/change-subscription-terms.ts';
import { createSubscriptionLink } from '../../../src/domain/billing/subscription/create-subscription-link.ts';
import { type EnrolOptions, enrol } from '../../../src/domain/billing/subscription/enrol.ts';
import { pauseSubscription } from '../../../src/domain/billing/subscription/pause-subscription.ts';
import { skipPayment } from '../../../src/domain/billing/subscription/skip-payment.ts';
import { subscriptionTransitions } from '../../../src/domain/billing/subscription/subscription-state.ts';
import { updateSubscriptionPlan } from '../../../src/domain/billing/subscription-plan/update-subscription-plan.ts';
import { cancelCharge } from '../../../src/domain/payments/charge/cancel-charge.ts';
import { expireCharges } from '../../../src/domain/payments/charge/expire-charges.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { newToken } from '../../../src/kit/token.ts';
import { concurrently } from '../../setup/concurrently.ts';
import { count } from '../../setup/counts.ts';
import { doneOrCode } from '../../setup/errors.ts';
import { serviceTest } from '../../setup/fixtures.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { day, minutesAfter, seedMerchant } from '../../setup/seed.ts';
import {
  completeCharge,
  copySubscription,
  readCharges,
  readInvoices,
  readSubscription,
  seedActiveSubscription,
  seedPlan,
} from '../../setup/subscriptions.ts';
import { payCharge } from '../../setup/transfers.ts';
import { listPairs, race, type Scene, timeout } from './race.ts';

const started = day('2026-01-15');

const test = serviceTest.extend('merchant', ({ service }, { onCleanup }) => {
  onCleanup(() => expectInvariants(service));
  return seedMerchant(service, {}, started);
});

const invoiced = day('2026-02-14');
const overdue = day('2026-02-16');

const operations = [
  'pay',
  'cancel',
  'pause',
  'request another method',
  'change the method',
  'open the invoice',
  'cancel its charge',
  'expire its charge',
] as const;

/** Changes by the merchant, which are paired with each other and with the first operations. */
const billingChanges = [
  'pause by the merchant',
  'skip',
  'change the price',
  'mark as paid',
  'void',
  'reissue',
  'send again',
] as const;

const owner = { mode: 'live' as const, actor: 'customer', now: invoiced };
const merchantActor = { ...owner, actor: 'user:usr_1', audit: { actor: 'user:usr_1', now: invoiced } };
type InvoicedSubscription = Subscription & { charge: Charge };

async function seedScene(
  service: Service,
  merchant: NewMerchant,
): Promise<Scene<InvoicedSubscription, (typeof operations)[number] | (typeof billingChanges)[number]>> {
  const plan = await seedPlan(service, merchant, { now: started });
  const last = await seedPlan(service, merchant, { input: { numPayments: 1 }, now: started });
  // The next payment is the last one of the first plan only.
  const planIds = [last.id, plan.id];
  const first = await seedActiveSubscription(service, merchant, { plan, now: started });
  return {
    errorCodes: [
      'subscription_ended',
      'subscription_paused',
      'invoice_not_open',
      'charge_not_pending',
      'rate_limited',
    ],
    states: {
      subscription_created: 'inactive',
      subscription_paid: 'active',
      subscription_paused: 'inactive',
      subscription_resumed: 'active',
      subscription_completed: 'completed',
      subscription_cancelled: 'cancelled',
    },
    transitions: subscriptionTransitions,
    readStatuses: (ids) => service.prisma.subscription.findMany({ where: { id: { in: ids } } }),
    /** Active since 15 January, with an open invoice. */
    async create(total) {
      const changes = Array.from({ length: total }, (_, i) => ({
        email: `s${randomUUID()}@example.com`,
        planId: planIds[i % 2]!,
      }));
      const copies = await copySubscription(service, first, changes);
      await renewSubscriptions(service, { now: day('2026-02-13') });
      const charges = await service.prisma.charge.findMany({
        where: { subscriptionId: { in: copies.map(({ id }) => id) } },
      });
      const findCharge = ({ id }: Subscription) =>
        charges.find(({ subscriptionId }) => subscriptionId === id)!;
      return copies.map((subscription) => ({ ...subscription, charge: findCharge(subscription) }));
    },
    operations: {
      async pay({ charge }) {
        await payCharge(service, merchant, charge, { now: invoiced });
        return undefined;
      },
      async cancel({ id, merchantId }) {
        await cancelSubscription(service, { ...owner, id, merchantId });
        return 'subscription_cancelled';
      },
      async pause() {
        // Pauses all overdue subscriptions that are not locked.
        await renewSubscriptions(service, { now: overdue });
        return undefined;
      },
      async 'request another method'({ id, merchantId }) {
        await paySubscription(service, { ...owner, id, merchantId, method: 'hk-bank-transfer' });
        return undefined;
      },
      async 'change the method'({ id, merchantId }) {
        await changeSubscriptionMethod(service, { ...owner, id, merchantId, method: 'hk-bank-transfer' });
        return undefined;
      },
      async 'open the invoice'({ charge, merchantId }) {
        await payInvoice(service, { ...owner, id: charge.invoiceId!, merchantId, method: 'fps' });
        return undefined;
      },
      async 'cancel its charge'({ charge: { id, merchantId } }) {
        await cancelCharge(service, { ...owner, id, merchantId, by: 'merchant' });
        return undefined;
      },
      async 'expire its charge'() {
        await expireCharges(service, { now: overdue });
        return undefined;
      },
      async 'pause by the merchant'({ id, merchantId }) {
        await pauseSubscription(service, { ...merchantActor, id, merchantId });
        return undefined;
      },
      async skip({ id, merchantId }) {
        await skipPayment(service, { ...merchantActor, id, merchantId });
        return undefined;
      },
      async 'change the price'({ id, merchantId }) {
        const amount = 100 + Math.ceil(Math.random() * 1_000);
        await changeSubscriptionTerms(service, { ...merchantActor, id, merchantId, input: { amount } });
        return undefined;
      },
      async 'mark as paid'({ charge, merchantId }) {
        await markInvoicePaid(service, { ...merchantActor, id: charge.invoiceId!, merchantId });
        return undefined;
      },
      async void({ charge, merchantId }) {
        await voidInvoice(service, {
          ...merchantActor,
          id: charge.invoiceId!,
          merchantId,
          isReissued: false,
        });
        return undefined;
      },
      async reissue({ charge, merchantId }) {
        await voidInvoice(service, { ...merchantActor, id: charge.invoiceId!, merchantId, isReissued: true });
        return undefined;
      },
      async 'send again'({ charge, merchantId }) {
        await resendInvoice(service, { ...merchantActor, id: charge.invoiceId!, merchantId });
        return undefined;
      },
    },
  };
}

describe('Invoiced subscription', () => {
  test.for(listPairs(operations))(
    'has a legal history after concurrent %s and %s',
    { timeout },
    async (pair, { service, merchant }) => {
      await race(service, await seedScene(service, merchant), pair);
    },
  );
});

const changePairs = [
  ...listPairs(billingChanges),
  ...operations.slice(0, 3).flatMap((name) => billingChanges.map((change) => [name, change] as const)),
];

describe('Invoiced subscription that the merchant changes', () => {
  test.for(changePairs)(
    'has a legal history after concurrent %s and %s',
    { timeout },
    async (pair, { service, merchant }) => {
      await race(service, await seedScene(service, merchant), pair);
    },
  );
});

const rounds = count(12, 500);
const month = { unit: 'months', count: 1 } as const;

/** A subscription that is active since 15 January, with an open invoice. */
type Round = { round: number; subscription: Pick<Subscription, 'id'>; charge: Charge };

/**
 * Each subscription starts a minute after the one before, so that one is due when the next is not. They are copied rows
 * without a first charge, which the renewal job invoices.
 */
async function seedRounds(service: Service, merchant: NewMerchant): Promise<Round[]> {
  const email = `c${randomUUID()}@example.com`;
  const plan = await seedPlan(service, merchant, { now: started });
  const first = await seedActiveSubscription(service, merchant, { plan, email, now: started });
  const later = (time: Date | null, round: number) => time && minutesAfter(time, round);
  const changes = Array.from({ length: rounds }, (_, round) => ({
    paidAt: later(first.paidAt, round),
    activeUntil: later(first.activeUntil, round),
    nextPayment: later(first.nextPayment, round),
    dueAt: later(first.dueAt, round),
  }));
  const copies = await copySubscription(service, first, changes);
  await cancel(service, merchant, first.id, started);
  await renewSubscriptions(service, { now: day('2026-02-14') });
  const where = { subscriptionId: { in: copies.map(({ id }) => id) } };
  const charges = await service.prisma.charge.findMany({ where });
  return copies.map((subscription, round) => ({
    round,
    subscription,
    charge: charges.find(({ subscriptionId }) => subscriptionId === subscription.id)!,
  }));
}

/** A day at the time at which the round starts. */
const toTime = (text: string, { round }: Round) => minutesAfter(day(text), round);

const runConcurrently = (...work: Promise<unknown>[]): Promise<string[]> => Promise.all(work.map(doneOrCode));

const cancel = (service: Service, merchant: NewMerchant, id: string, now: Date) =>
  cancelSubscription(service, { merchantId: merchant.merchant.id, mode: 'live', id, actor: 'customer', now });

describe('Subscription', () => {
  test('is paid and cancelled, or only cancelled, after a concurrent payment and cancellation', async ({
    service,
    merchant,
  }) => {
    const outcomes = new Set<string>();
    for (const { round, subscription, charge } of await seedRounds(service, merchant)) {
      const now = day('2026-02-14');
      const both = [
        () => completeCharge(service, charge, now),
        () => cancel(service, merchant, subscription.id, now),
      ];
      // Either of them starts first in turn.
      const order = round % 2 === 0 ? both : both.toReversed();
      const ends = await runConcurrently(...order.map((start) => start()));
      const { status, numPaymentsComplete, dueAt } = await readSubscription(service, subscription.id);
      const [invoice] = await readInvoices(service, subscription.id);
      outcomes.add([...ends, status, numPaymentsComplete, invoice!.status].join(' '));
      expect(dueAt).toBeNull();
    }
    // A cancelled charge may still be completed manually, which does not change the subscription.
    for (const outcome of outcomes) {
      expect(['done done cancelled 1 paid', 'done done cancelled 0 void']).toContain(outcome);
    }
  });

  test('is active after a concurrent pause and payment, with dates by the time of the payment', async ({
    service,
    merchant,
  }) => {
    for (const current of await seedRounds(service, merchant)) {
      const { round, subscription, charge } = current;
      const isLate = round % 2 === 1;
      const now = minutesAfter(toTime('2026-02-16', current), isLate ? 0.5 : 0);
      const paidAt = isLate ? now : new Date(now.getTime() - 1);
      const ends = await runConcurrently(
        renewSubscriptions(service, { now: paidAt }),
        completeCharge(service, charge, paidAt),
      );
      expect(ends).toEqual(['done', 'done']);
      expect(await readSubscription(service, subscription.id)).toMatchObject({
        status: 'active',
        activeUntil: isLate ? addInterval(now, month, 16) : toTime('2026-03-15', current),
        numPaymentsComplete: 1,
      });
    }
  });

  test('is cancelled after a concurrent pause and cancellation', async ({ service, merchant }) => {
    for (const current of await seedRounds(service, merchant)) {
      const { subscription } = current;
      const now = toTime('2026-02-16', current);
      const ends = await runConcurrently(
        renewSubscriptions(service, { now }),
        cancel(service, merchant, subscription.id, now),
      );
      expect(ends).toEqual(['done', 'done']);
      expect(await readSubscription(service, subscription.id)).toMatchObject({
        status: 'cancelled',
        dueAt: null,
      });
    }
  });

  test('is cancelled, and paid before or not at all, after a concurrent payment, pause and cancellation', async ({
    service,
    merchant,
  }) => {
    for (const current of await seedRounds(service, merchant)) {
      const { id } = current.subscription;
      const now = toTime('2026-02-16', current);
      const ends = await runConcurrently(
        completeCharge(service, current.charge, now),
        renewSubscriptions(service, { now }),
        cancel(service, merchant, id, now),
      );
      expect(ends).toEqual(['done', 'done', 'done']);
      const { status, numPaymentsComplete, activeUntil, dueAt } = await readSubscription(service, id);
      const [invoice] = await readInvoices(service, id);
      expect({ status, dueAt }).toEqual({ status: 'cancelled', dueAt: null });
      expect([numPaymentsComplete, invoice!.status, activeUntil]).toEqual(
        numPaymentsComplete === 1
          ? [1, 'paid', addInterval(now, month, 16)]
          : [0, 'void', toTime('2026-02-15', current)],
      );
    }
  });

  test('has one charge when two windows request a payment concurrently', async ({ service, merchant }) => {
    const plan = await seedPlan(service, merchant, { now: started });
    for (let round = 0; round < 10; round++) {
      const email = `p${randomUUID()}@example.com`;
      const { id } = await seedActiveSubscription(service, merchant, { plan, email, now: started });
      const options = {
        merchantId: merchant.merchant.id,
        mode: 'live' as const,
        id,
        actor: 'customer',
        now: started,
      };
      const charges = await Promise.all([
        paySubscription(service, options),
        paySubscription(service, options),
      ]);
      expect(charges[0]!.id).toBe(charges[1]!.id);
      expect((await readInvoices(service, id)).length).toBe(1);
    }
  });

  test('has the new terms, or keeps the plan from changing, when both happen concurrently', async ({
    service,
    merchant,
  }) => {
    for (let round = 0; round < 10; round++) {
      const enrolment = await seedEnrolment(service, merchant);
      const { planId } = enrolment.link;
      const [, updated] = await runConcurrently(
        enrol(service, enrolment),
        updateSubscriptionPlan(service, {
          ...{ merchant: merchant.merchant, mode: 'live' as const, id: planId, now: started },
          input: { recurringPayment: { amount: 150, period: 'months', count: 1 } },
        }),
      );
      const charge = await service.prisma.charge.findFirstOrThrow({
        where: { subscription: { planId } },
      });
      expect([updated, charge.merchantAmount]).toEqual(
        updated === 'done' ? ['done', 15_000n] : ['plan_terms_fixed', 10_000n],
      );
    }
  });

  test.for([
    ['paid', 'active', completeCharge],
    [
      'cancelled',
      'cancelled',
      (service: Service, { merchantId, subscriptionId }: Charge, now: Date) =>
        cancelSubscription(service, { ...owner, id: subscriptionId!, merchantId, now }),
    ],
  ] as const)(
    'gets no second charge when it is %s while the customer enrols again',
    async ([, status, change], { service, merchant }) => {
      const options = { ...(await seedEnrolment(service, merchant)), tokens: { formToken: newToken() } };
      const first = await enrol(service, options);
      const [repeated] = await concurrently(
        service,
        (uow) => change(uow, first.charge!, started),
        () => enrol(service, { ...options, method: 'hk-bank-transfer' }),
      );
      expect(repeated).toMatchObject({ subscription: { id: first.subscription.id, status }, charge: null });
      expect(await readCharges(service, first.subscription.id)).toHaveLength(1);
    },
  );

  test('gets the price that a plan has after a concurrent update of the plan', async ({
    service,
    merchant,
  }) => {
    const { id } = await seedActiveSubscription(service, merchant, { now: started });
    const plan = await seedPlan(service, merchant, { now: started });
    const [changed] = await concurrently(
      service,
      (uow) =>
        updateSubscriptionPlan(uow, {
          ...{ merchant: merchant.merchant, mode: 'live', id: plan.id, now: started },
          input: { recurringPayment: { amount: 150, period: 'months', count: 1 } },
        }),
      () =>
        changeSubscriptionTerms(service, {
          ...{ ...merchantActor, id, merchantId: merchant.merchant.id },
          input: { subscriptionPlanId: plan.id },
        }),
    );
    expect(changed).toMatchObject({ planId: plan.id, amount: 15_000n });
  });
});

/** The options of an enrolment by FPS into a new plan. */
async function seedEnrolment(service: Service, newMerchant: NewMerchant): Promise<EnrolOptions> {
  const { merchant } = newMerchant;
  const plan = await seedPlan(service, newMerchant, { now: started });
  const link = await createSubscriptionLink(service, {
    ...{ merchant, mode: 'live', now: started },
    input: { subscriptionPlanId: plan.id },
  });
  const customer = { email: `e${randomUUID()}@example.com` };
  return { merchant, link, method: 'fps', customer, language: 'en', actor: 'customer', now: started };
}
