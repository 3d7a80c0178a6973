import type { Charge, Invoice } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import type { Service } from '../../platform/service.ts';
import { closeInvoice } from '../invoice/close-invoice.ts';
import {
  applyPause,
  applyPayment,
  applyResumption,
  type BillingState,
  isOverdue,
  isResumptionDue,
} from './billing-schedule.ts';
import { getBillingState, isIntroductory, toBillingTerms } from './billing-terms.ts';
import type { Interval } from './calendar.ts';
import { type LockedSubscription, lockSubscription } from './lock-subscription.ts';
import { transitionSubscription, transitionSubscriptions } from './transition-subscription.ts';

type SettlementContext = { now: MerchantTime; actor: string };

/** The actor of automatic changes of subscriptions, as recorded in events. */
export const renewalActor = 'job:renew-subscriptions';

/**
 * Applies a completed charge to its subscription, in the transaction that completes the charge: marks the
 * open invoice as paid and extends the subscription. Changes nothing if the payment is a surplus, because the
 * subscription has ended or an introductory price is paid again, or if the charge is for less than the open invoice,
 * because its price was lower; the merchant can refund it.
 */
export async function settleSubscriptionCharge(
  uow: UnitOfWork<Service>,
  charge: Charge & { subscriptionId: string },
  change: SettlementContext,
): Promise<void> {
  const { now, actor } = change;
  let target = await lockSubscription(uow.tx, charge.subscriptionId);
  if (target.openInvoice && charge.merchantAmount < target.openInvoice.amount) return;
  const terms = toBillingTerms(target.plan);
  const payment = {
    at: now,
    isIntroductory: isIntroductory(charge, target.subscription),
    interval: target.openInvoice ? toInvoiceInterval(target.openInvoice) : undefined,
  };
  // A surplus payment must not even pause an overdue subscription: the renewal job will create its invoice or
  // pause it.
  if (!applyPayment(getBillingState(target.subscription), terms, payment)) return;
  target = await applyDueChanges(uow, target, now);
  const state = applyPayment(getBillingState(target.subscription), terms, payment)!;
  await savePayment(uow, target, { now, actor, state, chargeId: charge.id });
}

/**
 * Resumes a subscription whose pause is over, and pauses an overdue one, as the renewal job would have done. So the
 * outcome of a payment does not depend on when the job runs.
 */
export async function applyDueChanges(
  uow: UnitOfWork<Service>,
  target: LockedSubscription,
  now: MerchantTime,
): Promise<LockedSubscription> {
  let current = target;
  if (isResumptionDue(getBillingState(current.subscription), now))
    current = (await resumePausedSubscriptions(uow, [current], now))[0]!;
  if (isOverdue(getBillingState(current.subscription), toBillingTerms(current.plan), now))
    current = (await pauseSubscriptions(uow, [current], now))[0]!;
  return current;
}

/**
 * Saves the state after a payment: closes the open invoice as paid by the charge or, without one, outside
 * Causeway, and records the events.
 */
export async function savePayment(
  uow: UnitOfWork<Service>,
  target: LockedSubscription,
  payment: SettlementContext & { state: BillingState; chargeId?: string },
): Promise<LockedSubscription> {
  const { state, chargeId, now, actor } = payment;
  if (target.openInvoice) {
    const { status, activeUntil } = target.subscription;
    const period = { start: status === 'active' ? activeUntil! : now, end: state.activeUntil! };
    await closeInvoice(uow.tx, target.openInvoice, { to: 'paid', chargeId, period, now });
  }
  const paidTarget = await transitionSubscription(
    uow,
    { ...target, openInvoice: null },
    { now, actor, chargeId, eventType: 'subscription_paid', state: { ...state, status: 'active' } },
  );
  if (state.status !== 'completed') return paidTarget;
  const change = { now, actor, chargeId, eventType: 'subscription_completed', state } as const;
  return transitionSubscription(uow, paidTarget, change);
}

export function toInvoiceInterval({ period, count }: Pick<Invoice, 'period' | 'count'>): Interval {
  return { unit: period, count };
}

/** Pauses subscriptions whose grace period is over. */
export function pauseSubscriptions(
  uow: UnitOfWork<Service>,
  targets: readonly LockedSubscription[],
  now: MerchantTime,
): Promise<LockedSubscription[]> {
  const change = { now, actor: renewalActor, eventType: 'subscription_paused' } as const;
  return transitionSubscriptions(uow, targets, { ...change, toNextState: applyPause });
}

/** Resumes subscriptions that the merchant paused until a date that has passed. */
export function resumePausedSubscriptions(
  uow: UnitOfWork<Service>,
  targets: readonly LockedSubscription[],
  now: MerchantTime,
): Promise<LockedSubscription[]> {
  const change = { now, actor: renewalActor, eventType: 'subscription_resumed' } as const;
  return transitionSubscriptions(uow, targets, {
    ...change,
    toNextState: (state) => applyResumption(state, now),
  });
}
