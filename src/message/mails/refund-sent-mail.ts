import { type Brand, getDisplayName } from '../../kit/brand.ts';
import { fillText } from '../../language/fill-text.ts';
import { type Language, languages } from '../../language/languages.ts';
import { type MailContent, writeMail } from '../mail.ts';

type RefundSentMailFacts = {
  merchant: Brand;
  /** Formatted for the reader. */
  amount: string;
  /** The reference of the payout, which the customer finds in the account statement. */
  reference: string;
};

/** An email that informs the customer that a refund was paid. */
export function refundSentMail(
  language: Language,
  { merchant: brand, amount, reference }: RefundSentMailFacts,
): MailContent {
  const merchant = getDisplayName(brand);
  const { refundLink, refundSent } = languages[language].mail;
  return writeMail({
    language,
    sender: merchant,
    brand,
    subject: fillText(refundSent.subject, { merchant }),
    blocks: [
      fillText(refundSent.text, { merchant, amount }),
      {
        facts: [
          [refundLink.amount, amount],
          [refundLink.reference, reference],
        ],
      },
    ],
    note: fillText(refundSent.note, { merchant }),
  });
}
