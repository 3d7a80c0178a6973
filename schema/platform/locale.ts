import { languageCodes } from '../../src/language/languages.ts';
import { builder } from '../kit/builder.ts';

const names = { en: 'English', zh: 'Chinese', th: 'Thai' };

export const LocaleEnum = builder.enumType('Locale', {
  description: 'A language in which customers receive pages, messages and invoices.',
  values: Object.fromEntries(
    languageCodes.map((language) => [language, { description: `The language is ${names[language]}.` }]),
  ) as Record<(typeof languageCodes)[number], { description: string }>,
});
