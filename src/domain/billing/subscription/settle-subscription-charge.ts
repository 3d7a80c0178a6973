import type { Charge } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import type { Service } from '../../platform/service.ts';
import { closeInvoice } from '../invoice/close-invoice.ts';
import { applyPause, applyPayment, isOverdue } from './billing-schedule.ts';
import { getBillingState, isIntroductory, toBillingTerms } from './billing-terms.ts';
import { type LockedSubscription, lockSubscription } from './lock-subscription.ts';
import { transitionSubscription, transitionSubscriptions } from './transition-subscription.ts';

type SettlementContext = { now: MerchantTime; actor: string };

/** The actor of automatic changes of subscriptions, as recorded in events. */
export const renewalActor = 'job:renew-subscriptions';

/**
 * Applies a completed charge to its subscription, in the transaction that completes the charge: marks the
 * open invoice as paid and extends the subscription. Changes nothing if the payment is a surplus, because the
 * subscription has ended or an introductory price is paid again; the merchant can refund it.
 */
export async function settleSubscriptionCharge(
  uow: UnitOfWork<Service>,
  charge: Charge & { subscriptionId: string },
  change: SettlementContext,
): Promise<void> {
  const { now, actor } = change;
  let target = await lockSubscription(uow.tx, charge.subscriptionId);
  const terms = toBillingTerms(target.plan);
  const payment = { at: now, isIntroductory: isIntroductory(charge, target.plan) };
  // A surplus payment must not even pause an overdue subscription: the renewal job will create its invoice or
  // pause it.
  if (!applyPayment(getBillingState(target.subscription), terms, payment)) return;
  // Pause an overdue subscription first, as the renewal job would have done, so that the outcome does not
  // depend on when the job runs.
  if (isOverdue(getBillingState(target.subscription), terms, now))
    target = (await pauseSubscriptions(uow, [target], now))[0]!;
  const state = applyPayment(getBillingState(target.subscription), terms, payment)!;
  if (target.openInvoice) {
    await closeInvoice(uow.tx, target.openInvoice, { to: 'paid', chargeId: charge.id, now });
    target = { ...target, openInvoice: null };
  }
  const activeState = { ...state, status: 'active' as const };
  target = await transitionSubscription(uow, target, {
    now,
    actor,
    chargeId: charge.id,
    eventType: 'subscription_paid',
    state: activeState,
  });
  if (state.status !== 'completed') return;
  await transitionSubscription(uow, target, {
    now,
    actor,
    chargeId: charge.id,
    eventType: 'subscription_completed',
    state,
  });
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
