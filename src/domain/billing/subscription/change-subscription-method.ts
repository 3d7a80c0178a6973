import type { Subscription } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';
import type { MethodCode } from '../../../method/catalog.ts';
import { getActiveAccounts } from '../../accounts/receiving-account/get-active-accounts.ts';
import type { PageVisitor } from '../../payments/customer-page/checkout-slot.ts';
import { type Audited, recordAudit } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import { lockSubscriptionAndCharges } from './lock-subscription.ts';
import { requestPayment, toMethodFields } from './request-payment.ts';
import { requireOfferedMethod } from './subscription-charge-terms.ts';
import { isOngoing, isUnstarted } from './subscription-state.ts';
import { subscriptionEndedError, transitionSubscription } from './transition-subscription.ts';

/**
 * Changes the payment method of a subscription. A pending charge is replaced by one with the new method.
 * Throws `subscription_not_found`, `subscription_ended`, `method_unavailable` and the errors of
 * `requestPayment`.
 */
export async function changeSubscriptionMethod(
  service: Service,
  options: ScopedId &
    Audited & { method: MethodCode; actor: string; visitor?: PageVisitor; now: MerchantTime },
): Promise<Subscription> {
  const { merchantId, mode, id, method, now, actor, visitor, audit } = options;
  await getActiveAccounts(service, { merchantId, mode, method });
  return transact(service, async (uow) => {
    const target = await lockSubscriptionAndCharges(uow.tx, options);
    const { subscription, pendingCharges, openInvoice } = target;
    if (!isOngoing(subscription)) throw subscriptionEndedError(subscription);
    requireOfferedMethod(subscription.methods, method);
    if (audit)
      await recordAudit(uow, {
        ...audit,
        merchantId,
        mode,
        action: 'subscription.method_changed',
        objectId: id,
      });
    if (subscription.method === method) return subscription;
    const hasPaymentRequest =
      pendingCharges.length > 0 && (openInvoice !== null || isUnstarted(subscription));
    if (hasPaymentRequest) await requestPayment(uow, target, { method, now, actor, visitor });
    else
      await transitionSubscription(uow, target, {
        now,
        actor,
        eventType: null,
        data: toMethodFields(method),
      });
    return uow.tx.subscription.findUniqueOrThrow({ where: { id } });
  });
}
