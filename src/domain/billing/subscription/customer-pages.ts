import type { PageObject } from '../../payments/checkout/page-tokens.ts';
import { payUrl, type UrlContext } from '../../payments/checkout/pay-url.ts';

/** Where the customer sees the invoice and pays it. */
export function invoiceUrl(service: UrlContext, invoice: PageObject): string {
  return payUrl(service, 'invoice', invoice);
}

/** The invoice as a document. */
export function invoicePdfUrl(service: UrlContext, invoice: PageObject): string {
  return payUrl(service, 'invoice', invoice, '/pdf');
}

/** Where the customer sees the subscription, changes how it is paid, and cancels it. */
export function manageUrl(service: UrlContext, subscription: PageObject): string {
  return payUrl(service, 'subscription', subscription);
}

/** Where a program for mail switches reminders off. */
export function remindersUrl(service: UrlContext, subscription: PageObject): string {
  return payUrl(service, 'subscription', subscription, '/reminders');
}

/** Where a customer enrols. */
export function enrolmentUrl(service: UrlContext, link: PageObject): string {
  return payUrl(service, 'enrol', link);
}
