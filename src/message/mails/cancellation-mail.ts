import { fillText } from '../../language/fill-text.ts';
import { type Language, languages } from '../../language/languages.ts';
import { type MailContent, writeMail } from '../mail.ts';

type CancellationMailFacts = { merchant: string; plan: string; url: string };

/** An email with the link that confirms a cancellation. */
export function cancellationMail(
  language: Language,
  { merchant, plan, url }: CancellationMailFacts,
): MailContent {
  const strings = languages[language].mail.cancellation;
  return writeMail({
    language,
    sender: merchant,
    subject: fillText(strings.subject, { merchant }),
    blocks: [fillText(strings.text, { plan, merchant }), { button: strings.submit, url }],
    note: strings.note,
  });
}
