import { stringsOf } from '../../src/pages/languages.ts';
import { builder } from '../kit/builder.ts';
import { LocaleEnum } from './locale.ts';

builder.scalarType('Translation', {
  description:
    'The strings of the customer’s pages as nested objects of text. A word in braces, such as `{amount}`, is to be filled in.',
  serialize: (value) => value,
  parseValue: () => {
    throw new TypeError('a translation is not taken as input');
  },
});

builder.queryField('translation', (t) =>
  t.field({
    type: 'Translation',
    authScopes: { permission: 'read' },
    description:
      'The strings of the customer’s pages in a language, for an interface of your own. Restricted with live credentials.',
    args: { locale: t.arg({ type: LocaleEnum, required: true, description: 'Which language.' }) },
    resolve: (_root, { locale }) => stringsOf(locale),
  }),
);
