import type { Charge } from '../../../../prisma/client/client.ts';
import { transact, type UnitOfWork } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';
import type { MethodCode } from '../../../method/catalogue.ts';
import type { PageVisitor } from '../../payments/checkout/checkout-slot.ts';
import type { Service } from '../../platform/service.ts';
import { openInvoiceEarly } from '../invoice/open-invoice-early.ts';
import { type LockedSubscription, lockSubscriptionAndCharges } from './lock-subscription.ts';
import { requestPayment } from './request-payment.ts';
import { isOngoing, isUnstarted } from './subscription-state.ts';
import { subscriptionEnded } from './transition-subscription.ts';

/**
 * Returns the charge for a subscription's next payment: the first payment, the open invoice, or the next
 * invoice paid ahead. The method defaults to the last one used. Throws `subscription_not_found`,
 * `subscription_ended`, `method_unavailable` and the errors of `requestPayment`.
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
    const { pending, ...current } = await lockSubscriptionAndCharges(uow.tx, options);
    if (!isOngoing(current.subscription)) throw subscriptionEnded(current.subscription);
    const locked = await ensurePayable(uow, current, { now, actor });
    const method = options.method ?? (locked.subscription.method as MethodCode);
    return requestPayment(uow, { ...locked, pending }, { method, now, actor, visitor });
  });
}

/** Opens the next invoice early if none is open. */
async function ensurePayable(
  uow: UnitOfWork<Service>,
  locked: LockedSubscription,
  change: { now: MerchantTime; actor: string },
): Promise<LockedSubscription> {
  if (locked.openInvoice || isUnstarted(locked.subscription)) return locked;
  const merchant = await uow.tx.merchant.findUniqueOrThrow({ where: { id: locked.subscription.merchantId } });
  return openInvoiceEarly(uow, locked, { ...change, merchant });
}
