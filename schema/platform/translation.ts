import { languages } from '../../src/language/languages.ts';
import { builder } from '../kit/builder.ts';
import { LocaleEnum } from './locale.ts';

builder.scalarType('Translation', {
  description:
    'The strings of the customer pages as nested JSON objects. Replace placeholders in braces, such as `{amount}`, with their values.',
  serialize: (value) => value,
  parseValue: () => {
    throw new TypeError('a translation is not taken as input');
  },
});

builder.queryField('translation', (t) =>
  t.field({
    type: 'Translation',
    nullable: true,
    isRestricted: true,
    authScopes: { permission: 'read' },
    description:
      'Returns the strings of the customer pages in one language, for use in your own interface. In live mode, the operation requires restricted access (`Merchant.restrictedAccess`).',
    args: {
      locale: t.arg({ type: LocaleEnum, required: true, description: 'The language of the strings.' }),
    },
    resolve: (_root, { locale }) => languages[locale],
  }),
);
