import type { Charge, Subscription } from '../../../../prisma/client/client.ts';
import { transact, type UnitOfWork } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import type { Service } from '../../platform/service.ts';
import { type BillingChange, recordBillingChange, requireStarted } from './billing-change.ts';
import { applySkip } from './billing-schedule.ts';
import { getBillingState, toBillingTerms } from './billing-terms.ts';
import { type LockedSubscription, lockSubscriptionAndCharges } from './lock-subscription.ts';
import { subscriptionPausedError } from './pause-subscription.ts';
import { applyDueChanges, toInvoiceInterval } from './settle-subscription-charge.ts';
import { transitionSubscription } from './transition-subscription.ts';
import { voidOpenInvoice } from './void-open-invoice.ts';

/**
 * Skips the next payment of an active subscription: the customer gets the period without paying, and an
 * email. Voids the open invoice and cancels its charges. Throws `subscription_not_found`,
 * `subscription_unstarted`, `subscription_ended`, or `subscription_paused` if the subscription is not active.
 */
export async function skipPayment(service: Service, options: BillingChange): Promise<Subscription> {
  return transact(service, async (uow) => {
    const { pendingCharges, ...locked } = await lockSubscriptionAndCharges(uow.tx, options);
    requireStarted(locked.subscription);
    const target = { ...(await applyDueChanges(uow, locked, options.now)), pendingCharges };
    if (target.subscription.status !== 'active') throw subscriptionPausedError(target.subscription);
    const skipped = await skipNextPeriod(uow, target, options);
    await recordBillingChange(uow, skipped, {
      ...options,
      action: 'subscription.payment_skipped',
      notice: 'skipped',
    });
    return skipped.subscription;
  });
}

/**
 * Extends an active subscription by one free period, voids its open invoice and cancels its pending charges.
 */
export async function skipNextPeriod(
  uow: UnitOfWork<Service>,
  target: LockedSubscription & { pendingCharges: Charge[] },
  { now, actor }: { now: MerchantTime; actor: string },
): Promise<LockedSubscription> {
  const { subscription, plan, openInvoice } = target;
  const voided = await voidOpenInvoice(uow, target, { now, actor });
  const interval = openInvoice ? toInvoiceInterval(openInvoice) : toBillingTerms(plan).recurring;
  const state = applySkip(getBillingState(subscription), interval);
  const change = { now, actor, eventType: 'subscription_updated', state } as const;
  return transitionSubscription(uow, voided, change);
}
