import { fillText } from '../../language/fill-text.ts';
import { type Language, languages } from '../../language/languages.ts';
import { shortName } from './short-name.ts';

type PhoneCodeTextFacts = { merchant: string; code: string; minutes: number };

/** The text of an SMS with the code of a phone verification. */
export function phoneCodeText(language: Language, facts: PhoneCodeTextFacts): string {
  const { code, minutes } = facts;
  const values = { merchant: shortName(facts.merchant), code, minutes: String(minutes) };
  return fillText(languages[language].sms.phoneCode, values);
}
