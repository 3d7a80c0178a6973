import { type Brand, getDisplayName } from '../../kit/brand.ts';
import { fillText } from '../../language/fill-text.ts';
import { type Language, languages } from '../../language/languages.ts';
import { type MailContent, writeMail } from '../mail.ts';

/**
 * `due` announces the invoice or sends it again, `reminder` is sent on the due date, and `paused` when the grace period
 * ends. If the invoice is already overdue, a reminder or repetition is `overdue`, or `paused` if the subscription is.
 */
export type InvoiceMailKind = 'due' | 'reminder' | 'overdue' | 'paused';

type InvoiceMailFacts = {
  kind: InvoiceMailKind;
  merchant: Brand;
  plan: string;
  number: number;
  /** `amount` and `date` are formatted for the reader. */
  amount: string;
  date: string;
  invoiceUrl: string;
  pdfUrl: string;
  manageUrl: string;
  /** The one-click unsubscribe URL for reminders; null for the invoice itself, which is always sent. */
  oneClickUrl: string | null;
};

/** An email that asks a customer for the next payment of a subscription. */
export function invoiceMail(language: Language, facts: InvoiceMailFacts): MailContent {
  const strings = languages[language].mail.invoice;
  const { kind, merchant: brand, plan, amount, date, manageUrl, oneClickUrl } = facts;
  const merchant = getDisplayName(brand);
  const number = String(facts.number);
  return writeMail({
    language,
    sender: merchant,
    brand,
    subject: fillText(strings.subject[kind], { merchant, number }),
    blocks: [
      fillText(strings.text[kind], { merchant, plan, date }),
      {
        facts: [
          [strings.number, number],
          [strings.amount, amount],
          [strings.due, date],
        ],
      },
      { button: strings.pay, url: facts.invoiceUrl },
      { link: strings.pdf, url: facts.pdfUrl },
      strings.notAutomatic,
      { link: strings.manage, url: manageUrl },
    ],
    // The button on this page and that of the email client turn off reminders only.
    unsubscribe: {
      label: strings.unsubscribe,
      url: `${manageUrl}#reminders`,
      ...(oneClickUrl !== null && { oneClickUrl }),
    },
  });
}
