import type { Merchant } from '../../../prisma/client/client.ts';
import type { Tx } from '../../kit/db.ts';
import { amountText } from '../../message/amount-text.ts';
import { enqueueMessage } from '../../message/enqueue-message.ts';
import { type MessageLanguage, messageLanguages } from '../../message/language.ts';
import { type InvoiceMailKind, invoiceMail } from '../../message/mails/invoice-mail.ts';
import { serviceOf } from '../service.ts';
import { invoicePdfUrl, invoiceUrl, manageUrl, remindersUrl } from './customer-pages.ts';
import type { LockedSubscription } from './lock-subscription.ts';

/**
 * Mails the customer of an open invoice, once of each kind, where the plan says so and there is an address. Who wants no
 * reminders still gets invoices. `now` is the machine's time: the
 * test clock never moves messages.
 */
export async function mailInvoice(
  tx: Tx,
  { subscription, plan, openInvoice }: LockedSubscription,
  { kind, merchant, now }: { kind: InvoiceMailKind; merchant: Merchant; now: Date },
): Promise<void> {
  const { email, merchantId, mode, remindersOff } = subscription;
  if (!plan.sendEmail || email === null || openInvoice === null) return;
  if (remindersOff && kind !== 'due') return;
  const service = serviceOf(tx);
  const language = languageOf(subscription.language);
  await enqueueMessage(service, tx, {
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
  });
}

export function languageOf(text: string): MessageLanguage {
  return messageLanguages.find((language) => language === text) ?? 'en';
}
