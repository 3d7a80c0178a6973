import { findCurrencies } from '../../src/domain/platform/forex/find-currencies.ts';
import type { Rate } from '../../src/domain/platform/forex/get-rate.ts';
import { quoteForex } from '../../src/domain/platform/forex/quote-forex.ts';
import type { Money } from '../../src/kit/money.ts';
import { builder } from '../kit/builder.ts';
import { merchantCaller, ownNow } from '../kit/graphql-context.ts';
import { decimal } from '../scalars.ts';

const ForexQuote = builder.objectRef<{ amount: Money; rate: Rate }>('ForexQuote').implement({
  description: 'What an amount comes to in another currency, by the very rates charges use.',
  fields: (t) => ({
    amount: t.field({
      type: 'Decimal',
      description: 'The amount in the other currency.',
      resolve: ({ amount }) => decimal(amount.minor, amount.currency),
    }),
    currency: t.field({
      type: 'CurrencyCode',
      description: 'The other currency.',
      resolve: ({ amount }) => amount.currency,
    }),
    rate: t.field({
      type: 'Decimal',
      description: 'Units of it for one unit of the source currency.',
      resolve: ({ rate }) => rate.rate.toFixed(),
    }),
    source: t.string({ description: 'Where the rate comes from.', resolve: ({ rate }) => rate.source }),
    at: t.field({
      type: 'DateTime',
      description: 'The date that the source gives it.',
      resolve: ({ rate }) => rate.asOf,
    }),
  }),
});

builder.queryFields((t) => ({
  forex: t.field({
    type: ForexQuote,
    description: 'Converts an amount at the service’s rate.',
    args: {
      sourceCurrency: t.arg({ type: 'CurrencyCode', required: true, description: 'What the amount is in.' }),
      sourceAmount: t.arg({ type: 'Decimal', required: true, description: 'The amount, in major units.' }),
      destinationCurrency: t.arg({
        type: 'CurrencyCode',
        required: true,
        description: 'The other currency.',
      }),
    },
    resolve: (_root, args, context) => {
      const { mode, merchant } = merchantCaller(context);
      const options = { ...args, merchant, mode, now: ownNow(context) };
      return quoteForex(context.service, options);
    },
  }),
  currencies: t.field({
    type: ['CurrencyCode'],
    description: 'The currencies that have a rate, in alphabetical order.',
    resolve: (_root, _args, context) => {
      const { mode, merchant } = merchantCaller(context);
      return findCurrencies(context.service, { merchant, mode, now: ownNow(context) });
    },
  }),
}));
