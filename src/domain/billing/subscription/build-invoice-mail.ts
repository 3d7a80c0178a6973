import type { Invoice, Merchant } from '../../../../prisma/client/client.ts';
import type { MerchantTime, SystemTime } from '../../../kit/clock.ts';
import { formatDate, formatMoney, getLocale } from '../../../language/format.ts';
import { toLanguage } from '../../../language/languages.ts';
import type { MessageInput } from '../../../message/enqueue-message.ts';
import { invoiceMail } from '../../../message/mails/invoice-mail.ts';
import type { Service } from '../../platform/service.ts';
import { getInvoicePdfUrl, getInvoiceUrl, getManageUrl, getRemindersUrl } from './customer-pages.ts';
import type { LockedSubscription } from './lock-subscription.ts';

/**
 * When an email about an invoice is sent:
 * - `due`: the plan's days of notice before the due date
 * - `reminder`: on the due date
 * - `paused`: when the grace period is over
 */
export type InvoiceOccasion = 'due' | 'reminder' | 'paused';

const occasions: readonly InvoiceOccasion[] = ['due', 'reminder', 'paused'];

/** Returns the deduplication keys of all emails about an invoice. */
export function getInvoiceMailKeys(invoice: Pick<Invoice, 'id'>): string[] {
  return occasions.map((occasion) => toMailKey(occasion, invoice));
}

function toMailKey(occasion: InvoiceOccasion, { id }: Pick<Invoice, 'id'>): string {
  return `invoice-${occasion} ${id}`;
}

/**
 * Builds the email about an open invoice for an occasion. Returns undefined if the plan sends no emails or the
 * customer has no email address. A customer who has disabled reminders still gets the email when the invoice is
 * due. An invoice that was announced on or after its due date gets no reminder. Whether the invoice is overdue
 * depends on `now`, the time of the test clock; the email is sent at the system time.
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
  const { email, merchantId, mode, remindersDisabled } = subscription;
  if (!plan.sendEmail || email === null || openInvoice === null) return undefined;
  if (remindersDisabled && occasion !== 'due') return undefined;
  const { dueOn, dueNotifiedAt } = openInvoice;
  if (occasion === 'reminder' && (dueNotifiedAt === null || dueNotifiedAt >= dueOn)) return undefined;
  const isLate = utcDay(now) > utcDay(dueOn);
  const language = toLanguage(subscription.language);
  return {
    ...{ merchantId, mode, language, to: email },
    audience: 'customer',
    // Until a payment arrives, the address may belong to another person.
    trigger: subscription.numPaymentsComplete > 0 ? 'system' : 'unpaid_enrolment',
    channel: 'email',
    kind: `invoice-${occasion}`,
    content: invoiceMail(language, {
      kind: occasion === 'reminder' && isLate ? 'overdue' : occasion,
      merchant,
      plan: openInvoice.planName,
      number: openInvoice.number,
      amount: formatMoney(getLocale(language), { minor: openInvoice.amount, currency: openInvoice.currency }),
      date: formatDate(getLocale(language), dueOn),
      invoiceUrl: getInvoiceUrl(service, openInvoice),
      pdfUrl: getInvoicePdfUrl(service, openInvoice),
      manageUrl: getManageUrl(service, subscription),
      oneClickUrl: occasion === 'due' ? null : getRemindersUrl(service, subscription),
    }),
    dedupeKey: toMailKey(occasion, openInvoice),
    now: systemNow,
  };
}

function utcDay(time: Date): string {
  return time.toISOString().slice(0, 10);
}
