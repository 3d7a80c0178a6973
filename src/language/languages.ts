import { en } from './strings/en.ts';
import { th } from './strings/th.ts';
import { zh } from './strings/zh.ts';

/** All texts for customers in one language. The type ensures that no language lacks one. */
export type Strings = typeof en;

/** All texts by language tag (BCP 47). English comes first and is the default. */
export const languages = { en, zh, th } as const satisfies Record<string, Strings>;

export type Language = keyof typeof languages;

export const languageCodes = Object.keys(languages) as Language[];

export function isLanguage(text: string): text is Language {
  return Object.hasOwn(languages, text);
}

/** Returns the language with this tag; English for others. */
export function toLanguage(text: string): Language {
  return isLanguage(text) ? text : 'en';
}

/** The default language of each country (ISO 3166-1 alpha-2) in which it is not English. */
const languageByCountry: Readonly<Record<string, Language>> = { CN: 'zh', HK: 'zh', TH: 'th' };

/** Returns the language in which customers of a country get messages if their own language is unknown. */
export function getCountryLanguage(country: string | undefined): Language {
  return languageByCountry[country ?? ''] ?? 'en';
}
