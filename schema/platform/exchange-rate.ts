import type { ForexRate } from '../../prisma/client/client.ts';
import { type ListedRate, listRates } from '../../src/domain/platform/forex/list-rates.ts';
import { removeRate } from '../../src/domain/platform/forex/remove-rate.ts';
import { setRate } from '../../src/domain/platform/forex/set-rate.ts';
import { Decimal } from '../../src/kit/decimal.ts';
import { loadOperatorName } from '../accounts/audit-entry.ts';
import { builder } from '../kit/builder.ts';
import { requireOperator } from '../kit/graphql-context.ts';

const ExchangeRate = builder.objectRef<ListedRate>('ExchangeRate').implement({
  description: 'An exchange rate stored on this installation, as reported by one source for one currency.',
  fields: (t) => ({
    currency: t.expose('currency', {
      type: 'CurrencyCode',
      description: 'The currency of the exchange rate.',
    }),
    rate: t.field({
      type: 'Decimal',
      description: 'The number of units of the currency per euro.',
      resolve: ({ rate, baseRate }) => perEuro({ rate, baseRate }),
    }),
    source: t.exposeString('source', {
      description: 'The source of the exchange rate: the host and path of a feed, or `by hand`.',
    }),
    counts: t.exposeBoolean('counts', {
      description: 'Whether live charges use this exchange rate, because it is the newest of its currency.',
    }),
    asOf: t.expose('asOf', {
      type: 'DateTime',
      description: 'The date of the exchange rate according to its source.',
    }),
    fetchedAt: t.expose('fetchedAt', {
      type: 'DateTime',
      description: 'The time at which the exchange rate was fetched or set.',
    }),
    setBy: t.string({
      nullable: true,
      description: 'The email address of the operator who set the exchange rate; null if a feed reported it.',
      resolve: async ({ setBy }, _args, context) =>
        setBy === null ? null : ((await loadOperatorName(context, setBy)) ?? setBy),
    }),
  }),
});

function perEuro({ rate, baseRate }: Pick<ForexRate, 'rate' | 'baseRate'>): string {
  return new Decimal(rate).div(baseRate).toSignificantDigits(10).toFixed();
}

builder.queryField('exchangeRates', (t) =>
  t.field({
    type: [ExchangeRate],
    skipTypeScopes: true,
    authScopes: { operator: true },
    description: 'All exchange rates stored on this installation, ordered by currency. Requires an operator.',
    resolve: (_root, _args, { service }) => listRates(service),
  }),
);

const SetRateInput = builder.inputType('SetRateInput', {
  description: 'A currency and its new exchange rate.',
  fields: (t) => ({
    currency: t.field({
      type: 'CurrencyCode',
      required: true,
      description: 'The currency whose exchange rate is set. It cannot be the euro.',
    }),
    rate: t.field({
      type: 'Decimal',
      required: true,
      description: 'The number of units of the currency per euro.',
    }),
  }),
});

const SetRateSuccess = builder.objectRef<{ rate: ListedRate }>('SetRateSuccess').implement({
  description: 'The exchange rate was set. Charges use it until a feed reports a rate with a later date.',
  fields: (t) => ({ rate: t.expose('rate', { type: ExchangeRate, description: 'The exchange rate.' }) }),
});

builder.mutationField('setRate', (t) =>
  t.field({
    type: SetRateSuccess,
    errors: {},
    authScopes: { operator: true },
    description: 'Sets the exchange rate of a currency manually. Requires an operator.',
    args: {
      input: t.arg({
        type: SetRateInput,
        required: true,
        description: 'The currency and its new exchange rate.',
      }),
    },
    resolve: async (_root, { input }, context) => {
      const rate = await setRate(context.service, { ...requireOperator(context), ...input });
      return { rate: { ...rate, counts: true } };
    },
  }),
);

const RemoveRateInput = builder.inputType('RemoveRateInput', {
  description: 'The currency whose manually set exchange rate is removed.',
  fields: (t) => ({
    currency: t.field({ type: 'CurrencyCode', required: true, description: 'The currency.' }),
  }),
});

const RemoveRateSuccess = builder.objectRef<{ currency: string }>('RemoveRateSuccess').implement({
  description:
    'The manually set exchange rate was removed. The rate reported by the feeds applies again, if there is one.',
  fields: (t) => ({
    currency: t.expose('currency', { type: 'CurrencyCode', description: 'The currency.' }),
  }),
});

builder.mutationField('removeRate', (t) =>
  t.field({
    type: RemoveRateSuccess,
    errors: {},
    authScopes: { operator: true },
    description: 'Removes a manually set exchange rate. Requires an operator.',
    args: {
      input: t.arg({
        type: RemoveRateInput,
        required: true,
        description: 'The currency whose exchange rate is removed.',
      }),
    },
    resolve: async (_root, { input }, context) => ({
      currency: await removeRate(context.service, { ...requireOperator(context), ...input }),
    }),
  }),
);
