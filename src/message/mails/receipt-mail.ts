import { type Brand, getDisplayName } from '../../kit/brand.ts';
import { fillText } from '../../language/fill-text.ts';
import { type Language, languages } from '../../language/languages.ts';
import { type MailContent, writeMail } from '../mail.ts';

type ReceiptMailFacts = {
  merchant: Brand;
  /** Names and amounts of the order lines; the amount is empty if it is unknown. */
  orders: [name: string, amount: string][];
  /** Formatted in the language of the email, like all amounts and times. */
  amount: string;
  method: string;
  reference: string;
  receivedAt: string;
  /** The page of the payment, which can be printed. */
  url: string;
};

export function receiptMail(language: Language, facts: ReceiptMailFacts): MailContent {
  const { paid, mail } = languages[language];
  const { amount, orders } = facts;
  const merchant = getDisplayName(facts.merchant);
  return writeMail({
    language,
    sender: merchant,
    brand: facts.merchant,
    subject: fillText(mail.receipt.subject, { merchant }),
    blocks: [
      fillText(paid.text, { merchant, amount }),
      {
        facts: [
          ...orders,
          [paid.amount, amount],
          [paid.paidWith, facts.method],
          [paid.reference, facts.reference],
          [paid.receivedAt, facts.receivedAt],
        ],
      },
      { link: mail.receipt.view, url: facts.url },
    ],
    note: fillText(mail.refundSent.note, { merchant }),
  });
}
