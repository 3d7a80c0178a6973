import type { Invoice, Subscription, SubscriptionPlan } from '../../../../prisma/client/client.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { Money } from '../../../kit/money.ts';
import type { MethodCode } from '../../../method/catalog.ts';
import type { ChargeTerms } from '../../payments/charge/charge-terms.ts';
import type { MetadataEntry } from '../../platform/metadata.ts';
import type { OrderLine } from '../../platform/order-line.ts';
import { addTaxLine } from '../subscription-plan/tax.ts';
import { getInitialOrders } from './billing-terms.ts';
import { addDays } from './calendar.ts';

export function toSubscriptionChargeTerms(
  { subscription, plan }: { subscription: Subscription; plan: SubscriptionPlan },
  payment: {
    money: Money;
    method: MethodCode;
    orders?: OrderLine[];
    invoiceId?: string;
    payableUntil?: Date;
  },
): ChargeTerms {
  const { email, phone, firstName, lastName } = subscription;
  return {
    merchantMoney: payment.money,
    method: payment.method,
    customer: {
      ...(email !== null && { email }),
      ...(phone !== null && { phone }),
      ...(firstName !== null && { firstName }),
      ...(lastName !== null && { lastName }),
    },
    orders: payment.orders ?? getInitialOrders(plan),
    notifyPayload: subscription.notifyPayload,
    metadata: subscription.metadata as MetadataEntry[] | null,
    redirectUrl: subscription.redirectUrl,
    language: subscription.language,
    subscriptionId: subscription.id,
    ...(payment.invoiceId !== undefined && { invoiceId: payment.invoiceId }),
    ...(payment.payableUntil && { payableUntil: payment.payableUntil }),
  };
}

/**
 * Returns the terms of a charge for an invoice, by default with the method of the subscription. The charge is payable
 * until the grace period is over. If the invoice was created early and is not announced yet, the charge is
 * payable only within the method's window, because otherwise the exchange rate would be fixed for months.
 */
export function toInvoiceChargeTerms(
  { subscription, plan }: { subscription: Subscription; plan: SubscriptionPlan },
  invoice: Invoice,
  method = subscription.method as MethodCode,
): ChargeTerms {
  const { id: invoiceId, amount: minor, currency, dueAt, dueNotifiedAt } = invoice;
  const payableUntil = dueNotifiedAt !== null && { payableUntil: addDays(dueAt, plan.gracePeriod) };
  const orders = toInvoiceOrders(invoice);
  const payment = { money: { minor, currency }, method, orders, invoiceId, ...payableUntil };
  return toSubscriptionChargeTerms({ subscription, plan }, payment);
}

/** Returns the order lines of an invoice, including the line of an exclusive tax. */
export function toInvoiceOrders(invoice: Invoice): OrderLine[] {
  const { taxAmount, currency } = invoice;
  return addTaxLine(invoice.orders as OrderLine[], invoice, { minor: taxAmount, currency });
}

/** Throws `method_unavailable` unless the method is offered. An empty list offers all methods. */
export function requireOfferedMethod(methods: readonly string[], method: MethodCode): void {
  if (methods.length === 0 || methods.includes(method)) return;
  throw new DomainError('method_unavailable', `The subscription does not offer ${method}`);
}
