import { Type } from 'typebox';
import type { Context } from '../context.ts';
import { requirePermission } from '../domain/accounts/api-key/permissions.ts';
import { findChargeCurrencies } from '../domain/accounts/receiving-account/find-charge-currencies.ts';
import { findMethodEntries } from '../domain/accounts/receiving-account/find-method-entries.ts';
import { quoteForex } from '../domain/accounts/receiving-account/quote-forex.ts';
import { toJsonNumber } from '../kit/money.ts';
import { languageCodes } from '../language/languages.ts';
import { enumSchema, getMerchantScope, getMerchantTime } from './inputs.ts';
import type { TypedFastify } from './typed-fastify.ts';

const methodEntrySchema = Type.Object(
  {
    country: Type.String({
      description: 'The ISO 3166-1 code of the country in which customers use the payment methods.',
    }),
    currency: Type.String({ description: 'The ISO 4217 code of the currency in which customers pay.' }),
    methods: Type.Array(
      Type.Object(
        {
          method: Type.String({ description: 'The code of the payment method, such as `fps`.' }),
          max: Type.Number({
            description: 'The highest maximum amount of a payment among your active accounts, in `currency`.',
          }),
          name: Type.String({ description: 'The name by which customers know the payment method.' }),
          icon: Type.String({ description: 'The URL of an SVG logo, served by this service.' }),
        },
        { title: 'PaymentMethod', description: 'A payment method with which you can receive payments.' },
      ),
      { description: 'The payment methods of the country with which you can receive payments.' },
    ),
  },
  { title: 'CountryMethods', description: 'The payment methods of a country.' },
);

const methodsQuery = Type.Object(
  {
    locale: Type.Optional(
      enumSchema(languageCodes, 'The language of the names, as customers see them. By default, English.'),
    ),
  },
  { additionalProperties: false },
);

const forexQuery = Type.Object(
  {
    sourceCurrency: Type.String({ description: 'The ISO 4217 code of the currency of `sourceAmount`.' }),
    sourceAmount: Type.String({ description: 'The amount to convert, in major units.' }),
    destinationCurrency: Type.String({
      description: 'The ISO 4217 code of the currency to which the amount is converted.',
    }),
  },
  { additionalProperties: false },
);

const convertedAmountSchema = Type.Object(
  {
    amount: Type.Number({ description: 'The converted amount, in the destination currency.' }),
    rate: Type.Number({
      description: 'The number of units of the destination currency for one unit of the source currency.',
    }),
  },
  { title: 'ConvertedAmount', description: 'An amount at the current exchange rate.' },
);

export function registerHelperRoutes(app: TypedFastify, { service, clock }: Context): void {
  const methodsSchema = {
    summary: 'List the payment methods with which you can receive payments',
    description:
      'Returns the payment methods that have an active receiving account in the mode of the API key, grouped by country. Requires the permission `read`.',
    tags: ['Helpers'],
    querystring: methodsQuery,
    response: { 200: Type.Array(methodEntrySchema) },
  };
  app.get('/methods', { schema: methodsSchema }, async (request) => {
    requirePermission(request.caller, 'read');
    const entries = await findMethodEntries(service, {
      ...getMerchantScope(request.caller),
      language: request.query.locale,
    });
    return entries.map(({ methods, ...entry }) => ({
      ...entry,
      methods: methods.map(({ min: _, max, ...method }) => ({ ...method, max: toJsonNumber(max) })),
    }));
  });

  const currenciesSchema = {
    summary: 'List the currencies in which you can charge',
    description:
      'Returns the ISO 4217 codes of the currencies in which you can charge, in alphabetical order: those with an exchange rate, and those of your active receiving accounts. Requires the permission `read`.',
    tags: ['Helpers'],
    response: { 200: Type.Array(Type.String()) },
  };
  app.get('/currencies', { schema: currenciesSchema }, async ({ caller }) => {
    requirePermission(caller, 'read');
    const { merchant, mode } = caller;
    return findChargeCurrencies(service, { merchant, mode, now: getMerchantTime(clock, caller) });
  });

  const forexSchema = {
    summary: 'Convert an amount at the exchange rate that charges use',
    description:
      'Converts an amount to another currency at the current exchange rate, including your markup. Requires the permission `read`.',
    tags: ['Helpers'],
    querystring: forexQuery,
    response: {
      200: convertedAmountSchema,
    },
  };
  app.get('/forex', { schema: forexSchema }, async ({ caller, query }) => {
    requirePermission(caller, 'read');
    const { mode, merchant } = caller;
    const { amount, rate } = await quoteForex(service, {
      ...query,
      merchant,
      mode,
      now: getMerchantTime(clock, caller),
    });
    return { amount: toJsonNumber(amount), rate: rate.rate.toNumber() };
  });
}
