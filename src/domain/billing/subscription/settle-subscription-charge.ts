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

/** As it stands in events of what happens by itself. */
export const renewalActor = 'job:renew-subscriptions';

/**
 * What a completed charge does to its subscription, in the transaction that completes the charge: pays the open invoice
 * and moves the subscription on. One that has ended stays as it is, and so does one that is paid its lower first price
 * once more: the money is a surplus that the merchant can refund.
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
  // Changes nothing at all: the job has yet to ask for what is overdue, and to pause.
  if (!applyPayment(getBillingState(locked.subscription), terms, payment)) return;
  // Paused by the clock also when the job has not said so yet: the outcome does not depend on when it runs.
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

/** The days of grace are over without a payment. */
export function pauseSubscriptions(
  uow: UnitOfWork<Service>,
  queue: readonly LockedSubscription[],
  now: MerchantTime,
): Promise<LockedSubscription[]> {
  const change = { now, actor: renewalActor, eventType: 'subscription_paused' } as const;
  return transitionSubscriptions(uow, queue, { ...change, toNextState: applyPause });
}
