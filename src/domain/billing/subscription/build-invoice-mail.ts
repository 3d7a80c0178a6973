import type { Invoice, Merchant } from '../../../../prisma/client/client.ts';
import type { MerchantTime, SystemTime } from '../../../kit/clock.ts';
import { createDateFormatter } from '../../../kit/time-zone.ts';
import { formatDate, formatMoney, getLocale } from '../../../language/format.ts';
import type { MessageInput } from '../../../message/enqueue-message.ts';
import { invoiceMail } from '../../../message/mails/invoice-mail.ts';
import type { Service } from '../../platform/service.ts';
import { getInvoicePdfUrl, getInvoiceUrl, getManageUrl, getRemindersUrl } from './customer-pages.ts';
import type { LockedSubscription } from './lock-subscription.ts';
import { toMailEnvelope } from './to-mail-envelope.ts';

/**
 * When an email about an invoice is sent:
 * - `due`: the plan's days of notice before the due date
 * - `reminder`: on the due date
 * - `paused`: when the grace period is over
 * - `resent`: when the merchant sends the invoice again
 */
export type InvoiceOccasion = 'due' | 'reminder' | 'paused' | 'resent';

const occasions: readonly InvoiceOccasion[] = ['due', 'reminder', 'paused', 'resent'];

/** Returns the deduplication keys of all emails about an invoice. */
export function getInvoiceMailKeys(invoice: Pick<Invoice, 'id' | 'resentAt'>): string[] {
  return occasions.map((occasion) => toMailKey(occasion, invoice));
}

function toMailKey(occasion: InvoiceOccasion, { id, resentAt }: Pick<Invoice, 'id' | 'resentAt'>): string {
  const suffix = occasion === 'resent' && resentAt !== null ? ` ${resentAt.toISOString()}` : '';
  return `invoice-${occasion} ${id}${suffix}`;
}

/**
 * Builds the email about an open invoice for an occasion. Returns undefined if the customer has no email
 * address, or if the plan sends no emails and the merchant does not send the invoice again. A customer who
 * has disabled reminders still gets the email when the invoice is due. An invoice that was announced on or
 * after its due date gets no reminder. Whether the invoice is overdue depends on `now`, the time of the test
 * clock; the email is sent at the system time.
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
    dedupeKey: toMailKey(occasion, openInvoice),
    now: systemNow,
  };
}
