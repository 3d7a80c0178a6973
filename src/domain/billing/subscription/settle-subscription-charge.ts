import type { Charge } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import type { Service } from '../../platform/service.ts';
import { closeInvoice } from '../invoice/close-invoice.ts';
import { applyPause, applyPayment, isOverdue } from './billing-schedule.ts';
import { type LockedSubscription, lockSubscription } from './lock-subscription.ts';
import { getBillingState, isIntroductory, toTerms } from './terms.ts';
import { transitionSubscription, transitionSubscriptions } from './transition-subscription.ts';

type SettlementContext = { now: MerchantTime; actor: string };

/** The actor of automatic changes in events. */
export const renewalActor = 'job:renew-subscriptions';

/**
 * Applies a completed charge to its subscription, in the transaction that completes the charge: pays the open
 * invoice and advances the subscription. An ended subscription does not change, nor does one whose
 * introductory price is paid again. The merchant can refund such a surplus.
 */
export async function settleSubscriptionCharge(
  uow: UnitOfWork<Service>,
  charge: Charge & { subscriptionId: string },
  change: SettlementContext,
): Promise<void> {
  const { now, actor } = change;
  let locked = await lockSubscription(uow.tx, charge.subscriptionId);
  const terms = toTerms(locked.plan);
  const payment = { at: now, isIntroductory: isIntroductory(charge, locked.plan) };
  // A surplus must change nothing: the renewal job still has to invoice or pause an overdue subscription.
  if (!applyPayment(getBillingState(locked.subscription), terms, payment)) return;
  // Pause an overdue subscription even if the job has not run yet: the outcome must not depend on when it
  // runs.
  if (isOverdue(getBillingState(locked.subscription), terms, now))
    locked = (await pauseSubscriptions(uow, [locked], now))[0]!;
  const state = applyPayment(getBillingState(locked.subscription), terms, payment)!;
  if (locked.openInvoice) {
    await closeInvoice(uow.tx, locked.openInvoice, { to: 'paid', chargeId: charge.id, now });
    locked = { ...locked, openInvoice: null };
  }
  const activeState = { ...state, status: 'active' as const };
  locked = await transitionSubscription(uow, locked, {
    now,
    actor,
    eventType: 'subscription_paid',
    state: activeState,
  });
  if (state.status !== 'completed') return;
  await transitionSubscription(uow, locked, { now, actor, eventType: 'subscription_completed', state });
}

/** Pauses subscriptions whose days of grace are over. */
export function pauseSubscriptions(
  uow: UnitOfWork<Service>,
  queue: readonly LockedSubscription[],
  now: MerchantTime,
): Promise<LockedSubscription[]> {
  const change = { now, actor: renewalActor, eventType: 'subscription_paused' } as const;
  return transitionSubscriptions(uow, queue, { ...change, toNextState: applyPause });
}
