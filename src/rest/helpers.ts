import { Type } from 'typebox';
import type { Context } from '../context.ts';
import { requirePermission } from '../domain/accounts/api-key/permissions.ts';
import { findMethodEntries } from '../domain/accounts/receiving-account/find-method-entries.ts';
import { findCurrencies } from '../domain/platform/forex/find-currencies.ts';
import { quoteForex } from '../domain/platform/forex/quote-forex.ts';
import { toJsonNumber } from '../kit/money.ts';
import { getMerchantScope, getMerchantTime } from './inputs.ts';
import type { ApiScope } from './scope.ts';

const methodEntrySchema = Type.Object({
  country: Type.String(),
  currency: Type.String(),
  methods: Type.Array(
    Type.Object({ method: Type.String(), max: Type.Number(), name: Type.String(), icon: Type.String() }),
  ),
});

const forexQuery = Type.Object(
  { sourceCurrency: Type.String(), sourceAmount: Type.String(), destinationCurrency: Type.String() },
  { additionalProperties: false },
);

/** Registers the helper routes: payment methods, currencies, conversion. */
export function registerHelperRoutes(app: ApiScope, { service, clock }: Context): void {
  const methodsSchema = {
    summary: 'List the payment methods with which you can receive payments',
    tags: ['Helpers'],
    response: { 200: Type.Array(methodEntrySchema) },
  };
  app.get('/methods', { schema: methodsSchema }, async (request) => {
    requirePermission(request.caller, 'read');
    const entries = await findMethodEntries(service, getMerchantScope(request.caller));
    return entries.map(({ methods, ...entry }) => ({
      ...entry,
      methods: methods.map(({ min: _, max, ...method }) => ({ ...method, max: toJsonNumber(max) })),
    }));
  });

  const currenciesSchema = {
    summary: 'List the currencies with an exchange rate',
    tags: ['Helpers'],
    response: { 200: Type.Array(Type.String()) },
  };
  app.get('/currencies', { schema: currenciesSchema }, async ({ caller }) => {
    requirePermission(caller, 'read');
    const { merchant, mode } = caller;
    return findCurrencies(service, { merchant, mode, now: getMerchantTime(clock, caller) });
  });

  const forexSchema = {
    summary: 'Convert an amount at the exchange rate that charges use',
    tags: ['Helpers'],
    querystring: forexQuery,
    response: { 200: Type.Object({ amount: Type.Number(), rate: Type.Number() }) },
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
