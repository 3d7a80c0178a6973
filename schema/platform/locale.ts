import { type Language, languageCodes } from '../../src/language/languages.ts';
import { builder } from '../kit/builder.ts';

const names: Record<Language, string> = {
  en: 'English',
  'zh-Hant': 'Traditional Chinese',
  zh: 'Simplified Chinese',
  id: 'Indonesian',
  ms: 'Malay',
  fil: 'Filipino',
  vi: 'Vietnamese',
  th: 'Thai',
  ko: 'Korean',
  hi: 'Hindi',
};

/** GraphQL names cannot contain a hyphen. */
type LocaleName = Exclude<Language, 'zh-Hant'> | 'zh_Hant';

export const LocaleEnum = builder.enumType('Locale', {
  description: 'A language in which customers receive pages, messages and invoices.',
  values: Object.fromEntries(
    languageCodes.map((language) => [
      language.replace('-', '_'),
      { value: language, description: `The language is ${names[language]}.` },
    ]),
  ) as Record<LocaleName, { value: Language; description: string }>,
});
