import type { Charge } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import type { Service } from '../../platform/service.ts';
import { closeInvoice } from '../invoice/close-invoice.ts';
import { type LockedSubscription, lockSubscription } from './lock-subscription.ts';
import { isIntroductory, standingOf, termsOf } from './terms.ts';
import { afterPause, afterPayment, isOverdue } from './timeline.ts';
import { transitionSubscription, transitionTogether } from './transition-subscription.ts';

type Change = { now: MerchantTime; actor: string };

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
  change: Change,
): Promise<void> {
  const { now, actor } = change;
  let locked = await lockSubscription(uow.tx, charge.subscriptionId);
  const terms = termsOf(locked.plan);
  const payment = { at: now, isIntroductory: isIntroductory(charge, locked.plan) };
  // Changes nothing at all: the job has yet to ask for what is overdue, and to pause.
  if (!afterPayment(standingOf(locked.subscription), terms, payment)) return;
  // Paused by the clock also when the job has not said so yet: the outcome does not depend on when it runs.
  if (isOverdue(standingOf(locked.subscription), terms, now))
    locked = (await pauseSubscriptions(uow, [locked], now))[0]!;
  const standing = afterPayment(standingOf(locked.subscription), terms, payment)!;
  if (locked.openInvoice) {
    await closeInvoice(uow.tx, locked.openInvoice, { to: 'paid', chargeId: charge.id, now });
    locked = { ...locked, openInvoice: null };
  }
  const paid = { ...standing, status: 'active' as const };
  locked = await transitionSubscription(uow, locked, {
    now,
    actor,
    message: 'subscription_paid',
    standing: paid,
  });
  if (standing.status !== 'completed') return;
  await transitionSubscription(uow, locked, { now, actor, message: 'subscription_completed', standing });
}

/** The days of grace are over without a payment. */
export function pauseSubscriptions(
  uow: UnitOfWork<Service>,
  queue: readonly LockedSubscription[],
  now: MerchantTime,
): Promise<LockedSubscription[]> {
  const told = { now, actor: renewalActor, message: 'subscription_paused' } as const;
  return transitionTogether(uow, queue, { ...told, stand: afterPause });
}
