import { en } from './strings/en.ts';
import { fil } from './strings/fil.ts';
import { hi } from './strings/hi.ts';
import { id } from './strings/id.ts';
import { ko } from './strings/ko.ts';
import { ms } from './strings/ms.ts';
import { th } from './strings/th.ts';
import { vi } from './strings/vi.ts';
import { zh } from './strings/zh.ts';
import { zhHant } from './strings/zh-hant.ts';

/** All texts for customers in one language. The type ensures that no language lacks one. */
export type Strings = typeof en;

/** All texts by language tag (BCP 47). English comes first and is the default. */
export const languages = {
  en,
  'zh-Hant': zhHant,
  zh,
  id,
  ms,
  fil,
  vi,
  th,
  ko,
  hi,
} as const satisfies Record<string, Strings>;

export type Language = keyof typeof languages;

export const languageCodes = Object.keys(languages) as Language[];

export function isLanguage(text: string): text is Language {
  return Object.hasOwn(languages, text);
}

/** Returns the language with this tag; English for others. */
export function toLanguage(text: string): Language {
  return isLanguage(text) ? text : 'en';
}
