import type { PageObject } from '../../payments/customer-page/page-tokens.ts';
import { getPayUrl, type UrlContext } from '../../payments/customer-page/pay-url.ts';

/** Returns the URL of the page where the customer views and pays the invoice. */
export function getInvoiceUrl(service: UrlContext, invoice: PageObject<'invoice'>): string {
  return getPayUrl(service, 'invoice', invoice);
}

export function getInvoicePdfUrl(service: UrlContext, invoice: PageObject<'invoice'>): string {
  return getPayUrl(service, 'invoice', invoice, '/pdf');
}
