import type { Invoice, Subscription, SubscriptionPlan } from '../../../../prisma/client/client.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { Money } from '../../../kit/money.ts';
import type { MethodCode } from '../../../method/catalogue.ts';
import type { ChargeTerms } from '../../payments/charge/charge-terms.ts';
import type { Order } from '../../platform/order.ts';
import { addDays } from './calendar.ts';

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

/**
 * What a charge of an invoice asks, by the method last used or another. It is payable until the days of grace are over;
 * that of an invoice that is not due yet only for its method's window, or its rate would stand for months.
 */
export function invoiceChargeTerms(
  { subscription, plan }: { subscription: Subscription; plan: SubscriptionPlan },
  { id: invoiceId, amount: minor, currency, dueOn, noticedAt }: Invoice,
  method = subscription.method as MethodCode,
): ChargeTerms {
  const payableUntil = noticedAt !== null && { payableUntil: addDays(dueOn, plan.gracePeriod) };
  const asked = { money: { minor, currency }, method, invoiceId, ...payableUntil };
  return chargeTermsOf({ subscription, plan }, asked);
}

/** Error: `method_unavailable`. An empty list offers all. */
export function requireOffered(methods: readonly string[], method: MethodCode): void {
  if (methods.length === 0 || methods.includes(method)) return;
  throw new DomainError('method_unavailable', `The subscription does not offer ${method}`);
}
