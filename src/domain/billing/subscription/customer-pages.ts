import type { PageObject } from '../../payments/checkout/page-tokens.ts';
import { payUrl, type UrlContext } from '../../payments/checkout/pay-url.ts';

/** The page where the customer views and pays the invoice. */
export function invoiceUrl(service: UrlContext, invoice: PageObject): string {
  return payUrl(service, 'invoice', invoice);
}

export function invoicePdfUrl(service: UrlContext, invoice: PageObject): string {
  return payUrl(service, 'invoice', invoice, '/pdf');
}

/** The page where the customer views the subscription, changes its payment method and cancels it. */
export function manageUrl(service: UrlContext, subscription: PageObject): string {
  return payUrl(service, 'subscription', subscription);
}

/** The one-click address that mail programs call to turn reminders off. */
export function remindersUrl(service: UrlContext, subscription: PageObject): string {
  return payUrl(service, 'subscription', subscription, '/reminders');
}

export function enrolmentUrl(service: UrlContext, link: PageObject): string {
  return payUrl(service, 'enrol', link);
}
