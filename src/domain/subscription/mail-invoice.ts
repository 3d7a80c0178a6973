import type { Merchant } from '../../../prisma/client/client.ts';
import { amountText } from '../../message/amount-text.ts';
import type { MessageInput } from '../../message/enqueue-message.ts';
import { type MessageLanguage, messageLanguages } from '../../message/language.ts';
import { type InvoiceMailKind, invoiceMail } from '../../message/mails/invoice-mail.ts';
import type { Service } from '../service.ts';
import { invoicePdfUrl, invoiceUrl, manageUrl, remindersUrl } from './customer-pages.ts';
import type { LockedSubscription } from './lock-subscription.ts';

/**
 * The mail to the customer of an open invoice, once of each kind; undefined where the plan sends none or there is no address.
 * Who wants no reminders still gets invoices. `now` is the machine's time: the test clock never moves messages.
 */
export function mailOfInvoice(
  service: Service,
  { subscription, plan, openInvoice }: LockedSubscription,
  { kind, merchant, now }: { kind: InvoiceMailKind; merchant: Merchant; now: Date },
): MessageInput | undefined {
  const { email, merchantId, mode, remindersOff } = subscription;
  if (!plan.sendEmail || email === null || openInvoice === null) return undefined;
  if (remindersOff && kind !== 'due') return undefined;
  const language = languageOf(subscription.language);
  return {
    ...{ merchantId, mode, language, to: email },
    audience: 'customer',
    channel: 'email',
    kind: `invoice-${kind}`,
    content: invoiceMail(language, {
      kind,
      merchant: merchant.name,
      plan: openInvoice.planName,
      number: openInvoice.number,
      amount: amountText(language, { minor: openInvoice.amount, currency: openInvoice.currency }),
      date: new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(
        openInvoice.dueOn,
      ),
      invoiceUrl: invoiceUrl(service, openInvoice),
      pdfUrl: invoicePdfUrl(service, openInvoice),
      manageUrl: manageUrl(service, subscription),
      oneClickUrl: kind === 'due' ? null : remindersUrl(service, subscription),
    }),
    dedupeKey: `invoice-${kind} ${openInvoice.id}`,
    now,
  };
}

export function languageOf(text: string): MessageLanguage {
  return messageLanguages.find((language) => language === text) ?? 'en';
}
