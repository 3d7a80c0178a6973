import type { Invoice, Merchant } from '../../../../prisma/client/client.ts';
import type { MachineTime, MerchantTime } from '../../../kit/clock.ts';
import { amountText } from '../../../message/amount-text.ts';
import type { MessageInput } from '../../../message/enqueue-message.ts';
import { type MessageLanguage, toMessageLanguage } from '../../../message/language.ts';
import { invoiceMail } from '../../../message/mails/invoice-mail.ts';
import type { Service } from '../../platform/service.ts';
import { invoicePdfUrl, invoiceUrl, manageUrl, remindersUrl } from './customer-pages.ts';
import type { LockedSubscription } from './lock-subscription.ts';

/**
 * `due`: sent the plan's days of notice before the due date. `reminder`: on the due date. `paused`: after the
 * days of grace.
 */
export type InvoiceOccasion = 'due' | 'reminder' | 'paused';

const occasions: readonly InvoiceOccasion[] = ['due', 'reminder', 'paused'];

/** Returns the deduplication keys of all mails of an invoice. */
export function getInvoiceMailKeys(invoice: Pick<Invoice, 'id'>): string[] {
  return occasions.map((occasion) => mailKey(occasion, invoice));
}

function mailKey(occasion: InvoiceOccasion, { id }: Pick<Invoice, 'id'>): string {
  return `invoice-${occasion} ${id}`;
}

/**
 * Builds the mail for an open invoice, sent once per occasion. Returns undefined if the plan sends no mails
 * or the customer has no email. Customers who turned reminders off still get invoices. An invoice announced
 * on or after its due date gets no reminder. Lateness follows the test clock; sending follows the system
 * time.
 */
export function buildInvoiceMail(
  service: Service,
  { subscription, plan, openInvoice }: LockedSubscription,
  {
    occasion,
    merchant,
    now,
    machineNow,
  }: { occasion: InvoiceOccasion; merchant: Merchant; now: MerchantTime; machineNow: MachineTime },
): MessageInput | undefined {
  const { email, merchantId, mode, remindersDisabled: remindersOff } = subscription;
  if (!plan.sendEmail || email === null || openInvoice === null) return undefined;
  if (remindersOff && occasion !== 'due') return undefined;
  const { dueOn, dueNotifiedAt } = openInvoice;
  if (occasion === 'reminder' && (dueNotifiedAt === null || dueNotifiedAt >= dueOn)) return undefined;
  const isLate = utcDay(now) > utcDay(dueOn);
  const language = toMessageLanguage(subscription.language);
  return {
    ...{ merchantId, mode, language, to: email },
    audience: 'customer',
    // Until a payment arrives, the address may belong to another person.
    trigger: subscription.numPaymentsComplete > 0 ? 'system' : 'unpaid_enrolment',
    channel: 'email',
    kind: `invoice-${occasion}`,
    content: invoiceMail(language, {
      kind: occasion === 'reminder' && isLate ? 'overdue' : occasion,
      merchant: merchant.name,
      plan: openInvoice.planName,
      number: openInvoice.number,
      amount: amountText(language, { minor: openInvoice.amount, currency: openInvoice.currency }),
      date: getDateFormat(language).format(dueOn),
      invoiceUrl: invoiceUrl(service, openInvoice),
      pdfUrl: invoicePdfUrl(service, openInvoice),
      manageUrl: manageUrl(service, subscription),
      oneClickUrl: occasion === 'due' ? null : remindersUrl(service, subscription),
    }),
    dedupeKey: mailKey(occasion, openInvoice),
    now: machineNow,
  };
}

const dateFormats = new Map<MessageLanguage, Intl.DateTimeFormat>();

/** Cached, since creating a formatter takes longer than the rest of the mail. */
function getDateFormat(language: MessageLanguage): Intl.DateTimeFormat {
  let format = dateFormats.get(language);
  if (!format) {
    format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' });
    dateFormats.set(language, format);
  }
  return format;
}

function utcDay(time: Date): string {
  return time.toISOString().slice(0, 10);
}
