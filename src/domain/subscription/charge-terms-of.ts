import type { Subscription, SubscriptionPlan } from '../../../prisma/client/client.ts';
import { DomainError } from '../../kit/errors.ts';
import type { Money } from '../../kit/money.ts';
import type { MethodCode } from '../../method/catalogue.ts';
import type { ChargeTerms } from '../charge/charge-terms.ts';
import type { Order } from '../order.ts';

/** What a charge of the subscription asks. */
export function chargeTermsOf(
  { subscription, plan }: { subscription: Subscription; plan: SubscriptionPlan },
  asked: { money: Money; method: MethodCode; invoiceId?: string; payableUntil?: Date },
): ChargeTerms {
  const { email, phone, firstName, lastName } = subscription;
  return {
    merchantMoney: asked.money,
    method: asked.method,
    customer: {
      ...(email !== null && { email }),
      ...(phone !== null && { phone }),
      ...(firstName !== null && { firstName }),
      ...(lastName !== null && { lastName }),
    },
    orders: plan.orders as Order[],
    notifyPayload: subscription.notifyPayload,
    redirectUrl: subscription.redirectUrl,
    subscriptionId: subscription.id,
    ...(asked.invoiceId !== undefined && { invoiceId: asked.invoiceId }),
    ...(asked.payableUntil && { payableUntil: asked.payableUntil }),
  };
}

/** Error: `method_unavailable`. An empty list offers all. */
export function requireOffered(methods: readonly string[], method: MethodCode): void {
  if (methods.length === 0 || methods.includes(method)) return;
  throw new DomainError('method_unavailable', `The subscription does not offer ${method}`);
}
