import type { PageObject } from '../../payments/checkout/page-tokens.ts';
import { type Linking, payUrl } from '../../payments/checkout/pay-url.ts';

/** Where the customer sees the invoice and pays it. */
export function invoiceUrl(service: Linking, invoice: PageObject): string {
  return payUrl(service, 'invoice', invoice);
}

/** The invoice as a document. */
export function invoicePdfUrl(service: Linking, invoice: PageObject): string {
  return payUrl(service, 'invoice', invoice, '/pdf');
}

/** Where the customer sees the subscription, changes how it is paid, and cancels it. */
export function manageUrl(service: Linking, subscription: PageObject): string {
  return payUrl(service, 'subscription', subscription);
}

/** Where a program for mail switches reminders off. */
export function remindersUrl(service: Linking, subscription: PageObject): string {
  return payUrl(service, 'subscription', subscription, '/reminders');
}

/** Where a customer enrols. */
export function enrolmentUrl(service: Linking, link: PageObject): string {
  return payUrl(service, 'enrol', link);
}
