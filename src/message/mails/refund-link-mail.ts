import { type Brand, getDisplayName } from '../../kit/brand.ts';
import { fillText } from '../../language/fill-text.ts';
import { type Language, languages } from '../../language/languages.ts';
import { type MailContent, writeMail } from '../mail.ts';

type RefundLinkMailFacts = {
  merchant: Brand;
  /** Formatted for the reader. */
  amount: string;
  url: string;
  /** The reference of the payout, which customers may quote in questions. */
  reference: string;
  /** The merchant's reason why bank details are requested again; null the first time. */
  reason: string | null;
};

/** An email that asks the customer for the bank details of a refund. */
export function refundLinkMail(language: Language, facts: RefundLinkMailFacts): MailContent {
  const strings = languages[language].mail.refundLink;
  const { merchant: brand, amount, url, reference, reason } = facts;
  const merchant = getDisplayName(brand);
  const isFirst = reason === null;
  return writeMail({
    language,
    sender: merchant,
    brand,
    subject: fillText(isFirst ? strings.subject : strings.subjectReturned, { merchant }),
    blocks: [
      fillText(isFirst ? strings.text : strings.textReturned, { merchant, amount }),
      {
        facts: [
          [strings.amount, amount],
          [strings.reference, reference],
          ...(isFirst ? [] : [[strings.reason, reason] satisfies [string, string]]),
        ],
      },
      { button: strings.submit, url },
    ],
    note: fillText(strings.note, { merchant }),
  });
}
