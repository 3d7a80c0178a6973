import { fillText } from '../../language/fill-text.ts';
import { type Language, languages } from '../../language/languages.ts';
import { shortName } from './short-name.ts';

type CancellationTextFacts = { merchant: string; plan: string; url: string };

/** The text of an SMS with the link that confirms a cancellation. */
export function cancellationText(language: Language, { merchant, plan, url }: CancellationTextFacts): string {
  const values = { merchant: shortName(merchant), plan: shortName(plan), url };
  return fillText(languages[language].sms.cancellation, values);
}
