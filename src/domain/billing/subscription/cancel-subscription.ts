import type { Charge, Subscription } from '../../../../prisma/client/client.ts';
import { transact, type UnitOfWork } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import type { Owned } from '../../../kit/owner.ts';
import { cancelTogether } from '../../payments/charge/end-together.ts';
import { type Audited, recordAudit } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import { closeInvoice } from '../invoice/close-invoice.ts';
import { type LockedSubscription, lockSubscriptionAndCharges } from './lock-subscription.ts';
import { isOngoing } from './subscription-state.ts';
import { standingOf } from './terms.ts';
import { afterCancel } from './timeline.ts';
import { subscriptionEnded, transitionSubscription } from './transition-subscription.ts';

/**
 * Ends a subscription, active or not: its open invoice is void, its open charge cancelled. Errors:
 * `subscription_not_found`, `subscription_ended`.
 */
export async function cancelSubscription(
  service: Service,
  options: Owned & Audited & { actor: string; now: MerchantTime },
): Promise<Subscription> {
  const { merchantId, mode, id, audit } = options;
  return transact(service, async (uow) => {
    const locked = await lockSubscriptionAndCharges(uow.tx, options);
    if (audit)
      await recordAudit(uow, { ...audit, merchantId, mode, action: 'subscription.cancelled', objectId: id });
    return cancelLocked(uow, locked, options);
  });
}

/** As cancelSubscription, in the caller's transaction. Error: `subscription_ended`. */
export async function cancelLocked(
  uow: UnitOfWork<Service>,
  { pending, ...locked }: LockedSubscription & { pending: Charge[] },
  { now, actor }: { now: MerchantTime; actor: string },
): Promise<Subscription> {
  const { subscription, openInvoice } = locked;
  if (!isOngoing(subscription)) throw subscriptionEnded(subscription);
  await cancelTogether(uow, pending, { now, actor });
  if (openInvoice) await closeInvoice(uow.tx, openInvoice, { to: 'void', now });
  const standing = afterCancel(standingOf(subscription));
  const message = 'subscription_cancelled';
  const closed = { ...locked, openInvoice: null };
  return (await transitionSubscription(uow, closed, { now, actor, message, standing })).subscription;
}
