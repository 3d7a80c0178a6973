import { type Brand, getDisplayName } from '../../kit/brand.ts';
import { fillText } from '../../language/fill-text.ts';
import { type Language, languages } from '../../language/languages.ts';
import { type MailContent, writeMail } from '../mail.ts';

type CancellationMailFacts = { merchant: Brand; plan: string; url: string };

/** An email with the link that confirms a cancellation. */
export function cancellationMail(
  language: Language,
  { merchant: brand, plan, url }: CancellationMailFacts,
): MailContent {
  const strings = languages[language].mail.cancellation;
  const merchant = getDisplayName(brand);
  return writeMail({
    language,
    sender: merchant,
    brand,
    subject: fillText(strings.subject, { merchant }),
    blocks: [fillText(strings.text, { plan, merchant }), { button: strings.submit, url }],
    note: strings.note,
  });
}
