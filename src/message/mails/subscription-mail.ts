import { type Brand, getDisplayName } from '../../kit/brand.ts';
import { fillText } from '../../language/fill-text.ts';
import { type Language, languages, type Strings } from '../../language/languages.ts';
import { type MailContent, writeMail } from '../mail.ts';

/** A change by the merchant of which the customer is informed. */
export type BillingNotice = keyof Strings['mail']['subscription']['text'];

type SubscriptionMailFacts = {
  notice: BillingNotice;
  merchant: Brand;
  plan: string;
  /** The number of the invoice that the notice is about; empty if there is none. */
  number: string;
  /** `amount`, `interval` and `date` are formatted for the reader. */
  amount: string;
  interval: string;
  date: string;
  manageUrl: string;
};

/** An email that informs a customer that the merchant has changed the subscription. */
export function subscriptionMail(language: Language, facts: SubscriptionMailFacts): MailContent {
  const { subscription: strings, invoice } = languages[language].mail;
  const { notice, merchant: brand, manageUrl, plan, number, amount, interval, date } = facts;
  const merchant = getDisplayName(brand);
  const values = { merchant, plan, number, amount, interval, date };
  return writeMail({
    language,
    sender: merchant,
    brand,
    subject: fillText(strings.subject[notice], values),
    blocks: [fillText(strings.text[notice], values), { link: invoice.manage, url: manageUrl }],
  });
}
