import { chooseLanguage, chooseLocale } from './choose-language.ts';
import { languages } from './languages.ts';
import type { DashboardTexts } from './strings.ts';

/** The language of the user, as a language tag (BCP 47). */
export const language = chooseLanguage(Object.keys(languages));

/** The locale of dates, amounts and numbers; undefined means the browser's default. */
export const locale = chooseLocale(language);

export let t: DashboardTexts;

/** Sets the texts. Other modules use them when they are evaluated, so they must be imported afterwards. */
export function setTexts(texts: DashboardTexts): void {
  t = texts;
}
