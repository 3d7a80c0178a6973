import { expect, test } from 'vitest';
import type { Charge, Subscription } from '../../../prisma/client/client.ts';
import { addInterval } from '../../../src/domain/billing/subscription/calendar.ts';
import { cancelSubscription } from '../../../src/domain/billing/subscription/cancel-subscription.ts';
import { createSubscriptionLink } from '../../../src/domain/billing/subscription/create-subscription-link.ts';
import { enrol } from '../../../src/domain/billing/subscription/enrol.ts';
import { paySubscription } from '../../../src/domain/billing/subscription/pay-subscription.ts';
import { renewSubscriptions } from '../../../src/domain/billing/subscription/renew-subscriptions.ts';
import { updateSubscriptionPlan } from '../../../src/domain/billing/subscription-plan/update-subscription-plan.ts';
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { count } from '../../setup/counts.ts';
import { doneOrCode } from '../../setup/errors.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { day, minutesAfter, seedMerchant } from '../../setup/seed.ts';
import { setupService } from '../../setup/service.ts';
import {
  completeCharge,
  copySubscription,
  readInvoices,
  readSubscription,
  seedActiveSubscription,
  seedPlan,
} from '../../setup/subscriptions.ts';

const onCleanup = cleanupAfterFile();

const service = await setupService(onCleanup);
const rounds = count(12, 500);
const started = day('2026-01-15');
const merchant = await seedMerchant(service, {}, started);
const { id: merchantId } = merchant.merchant;
const plan = await seedPlan(service, merchant, { now: started });
let customers = 0;
const month = { unit: 'months', count: 1 } as const;

/** One round: a subscription of its own, active since 15 January, with an open invoice. */
type Round = { round: number; subscription: Pick<Subscription, 'id'>; charge: Charge };

/**
 * Each begun a minute after the other, so that what is due for one round is not yet due for the next. All but the first
 * are copies of its row, as after a free start: they have no first charge of their own, and their invoices are made by
 * the sweep.
 */
async function makeRounds(): Promise<Round[]> {
  const email = `c${customers++}@example.com`;
  const first = await seedActiveSubscription(service, merchant, { plan, email, now: started });
  const later = (time: Date | null, round: number) => time && minutesAfter(time, round);
  const changes = Array.from({ length: rounds }, (_, round) => ({
    paidAt: later(first.paidAt, round),
    activeUntil: later(first.activeUntil, round),
    nextPayment: later(first.nextPayment, round),
    dueAt: later(first.dueAt, round),
  }));
  const copies = await copySubscription(service, first, changes);
  await cancel(first.id, started);
  await renewSubscriptions(service, { now: day('2026-02-14') });
  const where = { subscriptionId: { in: copies.map(({ id }) => id) } };
  const charges = await service.prisma.charge.findMany({ where });
  return copies.map((subscription, round) => ({
    round,
    subscription,
    charge: charges.find(({ subscriptionId }) => subscriptionId === subscription.id)!,
  }));
}

/** The same time of the day as the round began. */
const sameTime = (text: string, { round }: Round) => minutesAfter(day(text), round);

/** Each as it ended: `done`, or the code of its refusal. */
const together = (...work: Promise<unknown>[]): Promise<string[]> => Promise.all(work.map(doneOrCode));

const cancel = (id: string, now: Date) =>
  cancelSubscription(service, { merchantId, mode: 'live', id, actor: 'customer', now });

test(`paying and cancelling at once: paid then cancelled, or cancelled and not paid, ${rounds} rounds`, async () => {
  const outcomes = new Set<string>();
  for (const { round, subscription, charge } of await makeRounds()) {
    const now = day('2026-02-14');
    const both = [() => completeCharge(service, charge, now), () => cancel(subscription.id, now)];
    // Either of them begun first in turn.
    const order = round % 2 === 0 ? both : both.toReversed();
    const ends = await together(...order.map((begin) => begin()));
    const { status, numPaymentsComplete, dueAt } = await readSubscription(service, subscription.id);
    const [invoice] = await readInvoices(service, subscription.id);
    outcomes.add([...ends, status, numPaymentsComplete, invoice!.status].join(' '));
    expect(dueAt).toBeNull();
  }
  // A cancelled charge may still be completed by hand: money that came all the same, and changes nothing.
  for (const outcome of outcomes) {
    expect(['done done cancelled 1 paid', 'done done cancelled 0 void']).toContain(outcome);
  }
});

test(`pausing and paying at once: the outcome is by the time of the payment alone, ${rounds} rounds`, async () => {
  for (const made of await makeRounds()) {
    const { round, subscription, charge } = made;
    const isLate = round % 2 === 1;
    const now = minutesAfter(sameTime('2026-02-16', made), isLate ? 0.5 : 0);
    const paidAt = isLate ? now : new Date(now.getTime() - 1);
    const ends = await together(
      renewSubscriptions(service, { now: paidAt }),
      completeCharge(service, charge, paidAt),
    );
    expect(ends).toEqual(['done', 'done']);
    expect(await readSubscription(service, subscription.id)).toMatchObject({
      status: 'active',
      activeUntil: isLate ? addInterval(now, month, 16) : sameTime('2026-03-15', made),
      numPaymentsComplete: 1,
    });
  }
});

test(`pausing and cancelling at once: cancelled, ${rounds} rounds`, async () => {
  for (const made of await makeRounds()) {
    const { subscription } = made;
    const now = sameTime('2026-02-16', made);
    const ends = await together(renewSubscriptions(service, { now }), cancel(subscription.id, now));
    expect(ends).toEqual(['done', 'done']);
    expect(await readSubscription(service, subscription.id)).toMatchObject({
      status: 'cancelled',
      dueAt: null,
    });
  }
});

test(`paying, pausing and cancelling all at once: cancelled, paid before or not at all, ${rounds} rounds`, async () => {
  for (const made of await makeRounds()) {
    const { id } = made.subscription;
    const now = sameTime('2026-02-16', made);
    const ends = await together(
      completeCharge(service, made.charge, now),
      renewSubscriptions(service, { now }),
      cancel(id, now),
    );
    expect(ends).toEqual(['done', 'done', 'done']);
    const { status, numPaymentsComplete, activeUntil, dueAt } = await readSubscription(service, id);
    const [invoice] = await readInvoices(service, id);
    expect({ status, dueAt }).toEqual({ status: 'cancelled', dueAt: null });
    expect([numPaymentsComplete, invoice!.status, activeUntil]).toEqual(
      numPaymentsComplete === 1
        ? [1, 'paid', addInterval(now, month, 16)]
        : [0, 'void', sameTime('2026-02-15', made)],
    );
  }
});

test('asked for a payment from two windows at once, there is one charge', async () => {
  for (let round = 0; round < 10; round++) {
    const email = `p${customers++}@example.com`;
    const { id } = await seedActiveSubscription(service, merchant, { plan, email, now: started });
    const options = { merchantId, mode: 'live' as const, id, actor: 'customer', now: started };
    const charges = await Promise.all([paySubscription(service, options), paySubscription(service, options)]);
    expect(charges[0]!.id).toBe(charges[1]!.id);
    expect((await readInvoices(service, id)).length).toBe(1);
  }
});

test('terms changed while somebody enrols: the plan is in use, or the terms are the new ones', async () => {
  for (let round = 0; round < 10; round++) {
    const own = await seedPlan(service, merchant, { now: started });
    const link = await createSubscriptionLink(service, {
      ...{ merchant: merchant.merchant, mode: 'live' as const, now: started },
      input: { subscriptionPlanId: own.id },
    });
    const enrolment = { merchant: merchant.merchant, link, method: 'fps' as const, now: started };
    const customer = { email: `t${customers++}@example.com` };
    const [, updated] = await together(
      enrol(service, { ...enrolment, customer, language: 'en', actor: 'customer' }),
      updateSubscriptionPlan(service, {
        ...{ merchant: merchant.merchant, mode: 'live' as const, id: own.id, now: started },
        input: { recurringPayment: { amount: 150, period: 'months', count: 1 } },
      }),
    );
    const charge = await service.prisma.charge.findFirstOrThrow({
      where: { subscription: { planId: own.id } },
    });
    expect([updated, charge.merchantAmount]).toEqual(
      updated === 'done' ? ['done', 15_000n] : ['plan_terms_fixed', 10_000n],
    );
  }
});

test('nothing above has broken a promise of the database', async () => {
  await expectInvariants(service);
});
