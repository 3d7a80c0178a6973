import { messageLanguages } from '../../src/message/language.ts';
import { builder } from '../kit/builder.ts';

const names = { en: 'English', zh: 'Chinese', th: 'Thai' };

export const LocaleEnum = builder.enumType('Locale', {
  description: 'A language in which customers receive pages, messages and invoices.',
  values: Object.fromEntries(
    messageLanguages.map((language) => [language, { description: `The language is ${names[language]}.` }]),
  ) as Record<(typeof messageLanguages)[number], { description: string }>,
});
