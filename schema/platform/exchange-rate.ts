import type { ForexRate } from '../../prisma/client/client.ts';
import { type ListedRate, listRates } from '../../src/domain/platform/forex/list-rates.ts';
import { removeRate } from '../../src/domain/platform/forex/remove-rate.ts';
import { setRate } from '../../src/domain/platform/forex/set-rate.ts';
import { Decimal } from '../../src/kit/decimal.ts';
import { loadOperatorName } from '../accounts/audit-entry.ts';
import { builder } from '../kit/builder.ts';
import { operating } from '../kit/graphql-context.ts';

const ExchangeRate = builder.objectRef<ListedRate>('ExchangeRate').implement({
  description: 'A rate that this installation keeps: what one source says of a currency.',
  fields: (t) => ({
    currency: t.expose('currency', { type: 'CurrencyCode', description: 'Of which currency.' }),
    rate: t.field({
      type: 'Decimal',
      description: 'Its units for one euro.',
      resolve: ({ rate, baseRate }) => perEuro({ rate, baseRate }),
    }),
    source: t.exposeString('source', { description: 'Host and path of the feed, or `by hand`.' }),
    counts: t.exposeBoolean('counts', {
      description: 'Whether it is the one that live charges use: the newest of its currency.',
    }),
    asOf: t.expose('asOf', { type: 'DateTime', description: 'The date that the source gives it.' }),
    fetchedAt: t.expose('fetchedAt', { type: 'DateTime', description: 'When it was read or set.' }),
    setBy: t.string({
      nullable: true,
      description: 'The e-mail address of the operator who set it; null for a feed’s.',
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
    description: 'All rates that this installation keeps, by currency. Only for operators.',
    resolve: (_root, _args, { service }) => listRates(service),
  }),
);

const SetRateInput = builder.inputType('SetRateInput', {
  description: 'The rate of which currency.',
  fields: (t) => ({
    currency: t.field({ type: 'CurrencyCode', required: true, description: 'Which; not the euro.' }),
    rate: t.field({ type: 'Decimal', required: true, description: 'Its units for one euro.' }),
  }),
});

const SetRateSuccess = builder.objectRef<{ rate: ListedRate }>('SetRateSuccess').implement({
  description: 'It counts from now on, until a feed tells a rate of a later date.',
  fields: (t) => ({ rate: t.expose('rate', { type: ExchangeRate, description: 'The rate.' }) }),
});

builder.mutationField('setRate', (t) =>
  t.field({
    type: SetRateSuccess,
    errors: {},
    authScopes: { operator: true },
    description: 'Sets the rate of a currency by hand. Only for operators.',
    args: { input: t.arg({ type: SetRateInput, required: true, description: 'Which.' }) },
    resolve: async (_root, { input }, context) => {
      const rate = await setRate(context.service, { ...operating(context), ...input });
      return { rate: { ...rate, counts: true } };
    },
  }),
);

const RemoveRateInput = builder.inputType('RemoveRateInput', {
  description: 'The rate of which currency.',
  fields: (t) => ({
    currency: t.field({ type: 'CurrencyCode', required: true, description: 'Which.' }),
  }),
});

const RemoveRateSuccess = builder.objectRef<{ currency: string }>('RemoveRateSuccess').implement({
  description: 'The rate of the feeds counts again, where there is one.',
  fields: (t) => ({
    currency: t.expose('currency', { type: 'CurrencyCode', description: 'The currency.' }),
  }),
});

builder.mutationField('removeRate', (t) =>
  t.field({
    type: RemoveRateSuccess,
    errors: {},
    authScopes: { operator: true },
    description: 'Takes back a rate that was set by hand. Only for operators.',
    args: { input: t.arg({ type: RemoveRateInput, required: true, description: 'Which.' }) },
    resolve: async (_root, { input }, context) => ({
      currency: await removeRate(context.service, { ...operating(context), ...input }),
    }),
  }),
);
