import { findAvailableMethods } from '../../src/domain/accounts/receiving-account/find-available-methods.ts';
import {
  findMethodEntries,
  type MethodEntry,
} from '../../src/domain/accounts/receiving-account/find-method-entries.ts';
import { type MethodCode, methodCodes, paymentMethods } from '../../src/method/catalogue.ts';
import { alsoForPages } from '../kit/access.ts';
import { builder } from '../kit/builder.ts';
import { owned } from '../kit/graphql-context.ts';
import { createLoader } from '../kit/loader.ts';
import { decimal } from '../scalars.ts';

export const PaymentMethodCode = builder.enumType('PaymentMethodCode', {
  description: 'The payment methods: the word of REST, with `_` for `-`.',
  values: Object.fromEntries(methodCodes.map((code) => [code.replaceAll('-', '_'), wordOf(code)])) as Record<
    string,
    { value: MethodCode; description: string }
  >,
});

function wordOf(code: MethodCode) {
  const { name, country, currency } = paymentMethods[code];
  return { value: code, description: `${name}: ${country}, in ${currency}.` };
}

/** By merchant: the same for every session and plan of a page, so read once. */
export const loadAvailable = createLoader<MethodCode[]>(async (context, merchantIds) => {
  const methods = await findAvailableMethods(context.service, owned(context));
  return new Map(merchantIds.map((id) => [id, methods]));
});

/** What is named in one list, as REST names it, where a country without methods would stand for all of its methods. */
export function byCountry(
  methods: readonly MethodCode[] | null | undefined,
): Record<string, MethodCode[]> | undefined {
  if (!methods?.length) return undefined;
  return Object.fromEntries(Map.groupBy(methods, (method) => paymentMethods[method].country));
}

type Offered = MethodEntry['methods'][number] & Pick<MethodEntry, 'country' | 'currency'>;

const PaymentMethodType = builder.objectRef<Offered>('PaymentMethod').implement({
  description: 'A way to pay that you can receive on.',
  fields: (t) => ({
    method: t.expose('method', { type: PaymentMethodCode, description: 'Which it is.' }),
    name: t.exposeString('name', { description: 'What customers call it.' }),
    country: t.expose('country', { type: 'CountryCode', description: 'Where customers use it.' }),
    currency: t.expose('currency', { type: 'CurrencyCode', description: 'What customers pay in.' }),
    min: t.field({
      type: 'Decimal',
      description: 'The smallest amount of one payment, in its currency.',
      resolve: ({ min }) => decimal(min.minor, min.currency),
    }),
    max: t.field({
      type: 'Decimal',
      description: 'The largest amount of one payment, in its currency.',
      resolve: ({ max }) => decimal(max.minor, max.currency),
    }),
    icon: t.exposeString('icon', { description: 'The address of an SVG picture, served by this service.' }),
  }),
});

builder.queryField('paymentMethods', (t) =>
  t.field({
    ...alsoForPages,
    type: [PaymentMethodType],
    description: 'The payment methods you can receive on in this mode.',
    resolve: async (_root, _args, context) => {
      const entries = await findMethodEntries(context.service, owned(context));
      return entries.flatMap(({ country, currency, methods }) =>
        methods.map((method) => ({ ...method, country, currency })),
      );
    },
  }),
);
