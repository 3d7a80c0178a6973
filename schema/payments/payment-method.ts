import { findAvailableMethods } from '../../src/domain/accounts/receiving-account/find-available-methods.ts';
import {
  findMethodEntries,
  type MethodEntry,
} from '../../src/domain/accounts/receiving-account/find-method-entries.ts';
import { type MethodCode, methodCodes, paymentMethods } from '../../src/method/catalog.ts';
import { allowClientToken } from '../kit/access.ts';
import { builder } from '../kit/builder.ts';
import { getMerchantScope } from '../kit/graphql-context.ts';
import { createLoader } from '../kit/loader.ts';
import { LocaleEnum } from '../platform/locale.ts';
import { toDecimalScalar } from '../scalars.ts';

export const PaymentMethodCode = builder.enumType('PaymentMethodCode', {
  description: 'A payment method. The values are the codes of the REST API, with `_` instead of `-`.',
  values: Object.fromEntries(
    methodCodes.map((code) => [code.replaceAll('-', '_'), toEnumValue(code)]),
  ) as Record<string, { value: MethodCode; description: string }>,
});

function toEnumValue(code: MethodCode) {
  const { name, country, currency } = paymentMethods[code];
  return { value: code, description: `${name}, for payments in ${currency} (country ${country}).` };
}

/** The methods are the same for all sessions and plans of a merchant, so they are read once. */
export const loadAvailableMethods = createLoader<MethodCode[]>(async (context, merchantIds) => {
  const methods = await findAvailableMethods(context.service, getMerchantScope(context));
  return new Map(merchantIds.map((id) => [id, methods]));
});

/**
 * Groups methods by country, as REST requests do. Returns undefined for an empty list, which selects all
 * methods.
 */
export function groupByCountry(
  methods: readonly MethodCode[] | null | undefined,
): Record<string, MethodCode[]> | undefined {
  if (!methods?.length) return undefined;
  return Object.fromEntries(Map.groupBy(methods, (method) => paymentMethods[method].country));
}

type OfferedMethod = MethodEntry['methods'][number] & Pick<MethodEntry, 'country' | 'currency'>;

const PaymentMethodType = builder.objectRef<OfferedMethod>('PaymentMethod').implement({
  description: 'A payment method with which you can receive payments.',
  fields: (t) => ({
    code: t.expose('method', {
      type: PaymentMethodCode,
      description: 'The code that identifies the payment method in this schema.',
    }),
    name: t.exposeString('name', { description: 'The name by which customers know the payment method.' }),
    country: t.expose('country', {
      type: 'CountryCode',
      description: 'The country in which customers use the payment method.',
    }),
    currency: t.expose('currency', {
      type: 'CurrencyCode',
      description: 'The currency in which customers pay.',
    }),
    minAmount: t.field({
      type: 'Decimal',
      description:
        'The lowest minimum amount of a payment among your active accounts for the method, in `currency`.',
      resolve: ({ min }) => toDecimalScalar(min.minor, min.currency),
    }),
    maxAmount: t.field({
      type: 'Decimal',
      description:
        'The highest maximum amount of a payment among your active accounts for the method, in `currency`.',
      resolve: ({ max }) => toDecimalScalar(max.minor, max.currency),
    }),
    iconUrl: t.exposeString('icon', { description: 'The URL of an SVG logo, served by this service.' }),
  }),
});

builder.queryField('paymentMethods', (t) =>
  t.field({
    ...allowClientToken,
    type: [PaymentMethodType],
    nullable: true,
    description:
      'Returns the payment methods with which you can receive payments in the mode of the request.',
    args: {
      locale: t.arg({
        type: LocaleEnum,
        description: 'The language of the names, as customers see them. By default, English.',
      }),
    },
    resolve: async (_root, { locale }, context) => {
      const scope = getMerchantScope(context);
      const entries = await findMethodEntries(context.service, { ...scope, language: locale });
      return entries.flatMap(({ country, currency, methods }) =>
        methods.map((method) => ({ ...method, country, currency })),
      );
    },
  }),
);
