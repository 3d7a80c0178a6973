import type { Charge } from '../../../../prisma/client/client.ts';
import { transact, type UnitOfWork } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';
import type { MethodCode } from '../../../method/catalog.ts';
import type { PageVisitor } from '../../payments/customer-page/checkout-slot.ts';
import type { Service } from '../../platform/service.ts';
import { type LockedSubscription, lockSubscriptionAndCharges } from '../subscription/lock-subscription.ts';
import { subscriptionPausedError } from '../subscription/pause-subscription.ts';
import { requestPayment } from '../subscription/request-payment.ts';
import { isOngoing, isUnstarted } from '../subscription/subscription-state.ts';
import { subscriptionEndedError } from '../subscription/transition-subscription.ts';
import { createInvoiceEarly } from './create-invoices.ts';

/**
 * Returns the charge for the next payment of a subscription: for the first payment, for the open invoice or, if the
 * customer pays ahead, for the next invoice. By default, it has the method of the subscription. Throws
 * `subscription_not_found`, `subscription_ended`, `subscription_paused`, `method_unavailable` and the errors of
 * `requestPayment`.
 */
export async function paySubscription(
  service: Service,
  options: ScopedId & {
    method?: MethodCode | undefined;
    actor: string;
    visitor?: PageVisitor;
    now: MerchantTime;
  },
): Promise<Charge> {
  const { now, actor, visitor } = options;
  return transact(service, async (uow) => {
    const { pendingCharges, ...current } = await lockSubscriptionAndCharges(uow.tx, options);
    if (!isOngoing(current.subscription)) throw subscriptionEndedError(current.subscription);
    if (current.subscription.pausedAt !== null) throw subscriptionPausedError(current.subscription);
    const target = await ensureOpenInvoice(uow, current, { now, actor });
    const method = options.method ?? (target.subscription.method as MethodCode);
    return requestPayment(uow, { ...target, pendingCharges }, { method, now, actor, visitor });
  });
}

/** Creates the next invoice early if the subscription has no open invoice. */
async function ensureOpenInvoice(
  uow: UnitOfWork<Service>,
  target: LockedSubscription,
  change: { now: MerchantTime; actor: string },
): Promise<LockedSubscription> {
  if (target.openInvoice || isUnstarted(target.subscription)) return target;
  const merchant = await uow.tx.merchant.findUniqueOrThrow({ where: { id: target.subscription.merchantId } });
  return createInvoiceEarly(uow, target, { ...change, merchant });
}
