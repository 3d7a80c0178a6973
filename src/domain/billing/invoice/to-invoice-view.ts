import type { Invoice, Subscription } from '../../../../prisma/client/client.ts';
import { toCustomerView } from '../../payments/customer/to-customer-view.ts';
import type { Service } from '../../platform/service.ts';
import { getInvoiceUrl } from '../subscription/customer-pages.ts';

/** Returns the invoice as the API documents it. */
export function toInvoiceView(
  service: Pick<Service, 'secrets' | 'settings'>,
  invoice: Invoice,
  subscription: Subscription,
) {
  return {
    id: invoice.id,
    subscriptionId: invoice.subscriptionId,
    customer: toCustomerView(subscription),
    ...(invoice.chargeId !== null && { chargeId: invoice.chargeId }),
    checkoutLink: getInvoiceUrl(service, invoice),
    invoiceDueOn: invoice.dueOn.toISOString(),
  };
}
