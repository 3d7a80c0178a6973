import type { Charge, Subscription } from '../../../../prisma/client/client.ts';
import { transact, type UnitOfWork } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';
import { type Audited, recordAudit } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import { applyCancellation } from './billing-schedule.ts';
import { getBillingState } from './billing-terms.ts';
import { type LockedSubscription, lockSubscriptionAndCharges } from './lock-subscription.ts';
import { isOngoing } from './subscription-state.ts';
import { subscriptionEndedError, transitionSubscription } from './transition-subscription.ts';
import { voidOpenInvoice } from './void-open-invoice.ts';

/**
 * Cancels an ongoing subscription, voids its open invoice and cancels its pending charges. Throws
 * `subscription_not_found` or `subscription_ended`.
 */
export async function cancelSubscription(
  service: Service,
  options: ScopedId & Audited & { actor: string; now: MerchantTime },
): Promise<Subscription> {
  const { merchantId, mode, id, audit } = options;
  return transact(service, async (uow) => {
    const target = await lockSubscriptionAndCharges(uow.tx, options);
    if (audit)
      await recordAudit(uow, { ...audit, merchantId, mode, action: 'subscription.cancelled', objectId: id });
    return cancelLockedSubscription(uow, target, options);
  });
}

/**
 * Like `cancelSubscription`, but in the caller's transaction, for a subscription that the caller has locked.
 * The caller records the audit entry. Throws `subscription_ended`.
 */
export async function cancelLockedSubscription(
  uow: UnitOfWork<Service>,
  target: LockedSubscription & { pendingCharges: Charge[] },
  { now, actor }: { now: MerchantTime; actor: string },
): Promise<Subscription> {
  const { subscription } = target;
  if (!isOngoing(subscription)) throw subscriptionEndedError(subscription);
  const updated = await voidOpenInvoice(uow, target, { now, actor });
  const state = applyCancellation(getBillingState(subscription));
  const eventType = 'subscription_cancelled';
  return (await transitionSubscription(uow, updated, { now, actor, eventType, state })).subscription;
}
