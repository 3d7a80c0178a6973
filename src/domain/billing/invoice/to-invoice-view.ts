import type { Invoice, Subscription } from '../../../../prisma/client/client.ts';
import { toJsonNumber } from '../../../kit/money.ts';
import { toCustomerView } from '../../payments/customer/to-customer-view.ts';
import type { Service } from '../../platform/service.ts';
import { getInvoicePdfUrl, getInvoiceUrl } from './invoice-url.ts';

/** Returns the invoice as the API documents it. */
export function toInvoiceView(
  service: Pick<Service, 'secrets' | 'settings'>,
  invoice: Invoice,
  subscription: Subscription,
) {
  return {
    id: invoice.id,
    subscriptionId: invoice.subscriptionId,
    number: invoice.number,
    status: invoice.status,
    amount: toJsonNumber({ minor: invoice.amount, currency: invoice.currency }),
    currency: invoice.currency,
    customer: toCustomerView(subscription),
    ...(invoice.chargeId !== null && { chargeId: invoice.chargeId }),
    checkoutLink: getInvoiceUrl(service, invoice),
    pdfUrl: getInvoicePdfUrl(service, invoice),
    invoiceDueOn: invoice.dueAt.toISOString(),
  };
}
