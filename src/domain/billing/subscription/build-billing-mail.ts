import type { Merchant, Subscription } from '../../../../prisma/client/client.ts';
import type { MerchantTime, SystemTime } from '../../../kit/clock.ts';
import { createDateFormatter } from '../../../kit/time-zone.ts';
import { formatDate, formatMoney, getLocale } from '../../../language/format.ts';
import { formatInterval } from '../../../language/format-interval.ts';
import { languages, toLanguage } from '../../../language/languages.ts';
import type { MessageInput } from '../../../message/enqueue-message.ts';
import { invoiceMail } from '../../../message/mails/invoice-mail.ts';
import { type BillingNotice, subscriptionMail } from '../../../message/mails/subscription-mail.ts';
import type { Service } from '../../platform/service.ts';
import { type InvoiceOccasion, toInvoiceMailKey } from '../invoice/invoice-mail-keys.ts';
import { getInvoicePdfUrl, getInvoiceUrl } from '../invoice/invoice-url.ts';
import { getRenewalMoney, toBillingTerms } from './billing-terms.ts';
import { getManageUrl, getRemindersUrl } from './customer-pages.ts';
import type { LockedSubscription } from './lock-subscription.ts';

export type { BillingNotice };

/**
 * Builds the email that informs the customer about a change by the merchant. Returns undefined if the plan sends
 * no emails or the customer has no email address.
 */
export function buildBillingMail(
  service: Service,
  target: LockedSubscription,
  options: {
    notice: BillingNotice;
    merchant: Merchant;
    invoiceNumber?: number | undefined;
    systemNow: SystemTime;
  },
): MessageInput | undefined {
  const { subscription, plan } = target;
  const { email } = subscription;
  // A paused subscription has no next payment.
  const date = subscription.nextPayment ?? subscription.resumesAt;
  if (!plan.sendEmail || email === null) return undefined;
  const { notice, merchant, invoiceNumber, systemNow } = options;
  const envelope = toMailEnvelope({ ...subscription, email });
  const { language } = envelope;
  const locale = getLocale(language);
  return {
    ...envelope,
    kind: 'subscription-changed',
    content: subscriptionMail(language, {
      notice,
      merchant,
      plan: plan.name,
      number: invoiceNumber === undefined ? '' : String(invoiceNumber),
      amount: formatMoney(locale, getRenewalMoney(target)),
      interval: formatInterval({ strings: languages[language], locale }, toBillingTerms(plan).recurring),
      date: date === null ? '' : formatDate(locale, date, merchant.timeZone),
      manageUrl: getManageUrl(service, subscription),
    }),
    dedupeKey: `subscription-changed ${subscription.id} ${subscription.version}`,
    now: systemNow,
  };
}

/** Returns the members that all emails to the customer of a subscription share. */
function toMailEnvelope(subscription: Subscription & { email: string }) {
  const { merchantId, mode, email, language, numPaymentsComplete } = subscription;
  return {
    merchantId,
    mode,
    to: email,
    language: toLanguage(language),
    audience: 'customer',
    // Until a payment arrives, the address may belong to another person.
    trigger: numPaymentsComplete > 0 ? 'system' : 'unpaid_enrolment',
    channel: 'email',
  } as const;
}

/**
 * Builds the email about an open invoice for an occasion. Returns undefined if the customer has no email
 * address, or if the plan sends no emails and the merchant does not send the invoice again. A customer who
 * has disabled reminders still gets the email when the invoice is due or sent again. An invoice that was
 * announced on or after its due date gets no reminder. Whether the invoice is overdue depends on `now`, the
 * merchant's time; the email is sent at the system time.
 */
export function buildInvoiceMail(
  service: Service,
  { subscription, plan, openInvoice }: LockedSubscription,
  {
    occasion,
    merchant,
    now,
    systemNow,
  }: { occasion: InvoiceOccasion; merchant: Merchant; now: MerchantTime; systemNow: SystemTime },
): MessageInput | undefined {
  const { email, remindersDisabled } = subscription;
  if (email === null || openInvoice === null) return undefined;
  const isRequested = occasion === 'due' || occasion === 'resent';
  if (!plan.sendEmail && occasion !== 'resent') return undefined;
  if (remindersDisabled && !isRequested) return undefined;
  const { dueAt, dueNotifiedAt } = openInvoice;
  if (occasion === 'reminder' && (dueNotifiedAt === null || dueNotifiedAt >= dueAt)) return undefined;
  const { timeZone } = merchant;
  const toDay = createDateFormatter(timeZone);
  const isLate = toDay(now) > toDay(dueAt);
  const envelope = toMailEnvelope({ ...subscription, email });
  const { language } = envelope;
  const overdueKind = subscription.status === 'active' ? 'overdue' : 'paused';
  const mailKind = occasion === 'resent' ? 'due' : occasion;
  return {
    ...envelope,
    kind: `invoice-${mailKind}`,
    content: invoiceMail(language, {
      kind: isLate && (occasion === 'reminder' || occasion === 'resent') ? overdueKind : mailKind,
      merchant,
      plan: openInvoice.planName,
      number: openInvoice.number,
      amount: formatMoney(getLocale(language), { minor: openInvoice.amount, currency: openInvoice.currency }),
      date: formatDate(getLocale(language), dueAt, timeZone),
      invoiceUrl: getInvoiceUrl(service, openInvoice),
      pdfUrl: getInvoicePdfUrl(service, openInvoice),
      manageUrl: getManageUrl(service, subscription),
      oneClickUrl: isRequested ? null : getRemindersUrl(service, subscription),
    }),
    dedupeKey: toInvoiceMailKey(occasion, openInvoice),
    now: systemNow,
  };
}
