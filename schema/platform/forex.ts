import {
  findChargeCurrencies,
  findMissingRates,
  type MissingRate,
} from '../../src/domain/accounts/receiving-account/find-charge-currencies.ts';
import { quoteForex } from '../../src/domain/accounts/receiving-account/quote-forex.ts';
import type { Rate } from '../../src/domain/platform/forex/get-rate.ts';
import type { Money } from '../../src/kit/money.ts';
import { builder } from '../kit/builder.ts';
import { getMerchantTime, requireMerchantCaller } from '../kit/graphql-context.ts';
import { toDecimalScalar } from '../scalars.ts';

const MissingExchangeRate = builder.objectRef<MissingRate>('MissingExchangeRate').implement({
  description: 'Two currencies of your active receiving accounts without a usable exchange rate.',
  fields: (t) => ({
    sourceCurrency: t.field({
      type: 'CurrencyCode',
      description: 'The currency of prices that cannot be converted.',
      resolve: ({ from }) => from,
    }),
    destinationCurrency: t.field({
      type: 'CurrencyCode',
      description: 'The currency of the receiving accounts to which these prices cannot be paid.',
      resolve: ({ to }) => to,
    }),
  }),
});

const ForexQuote = builder.objectRef<{ amount: Money; rate: Rate }>('ForexQuote').implement({
  description: 'An amount converted to another currency at the exchange rate that charges use.',
  fields: (t) => ({
    amount: t.field({
      type: 'Decimal',
      description: 'The converted amount, in `currency`.',
      resolve: ({ amount }) => toDecimalScalar(amount.minor, amount.currency),
    }),
    currency: t.field({
      type: 'CurrencyCode',
      description: 'The currency to which the amount was converted.',
      resolve: ({ amount }) => amount.currency,
    }),
    rate: t.field({
      type: 'Decimal',
      description: 'The number of units of `currency` for one unit of the source currency.',
      resolve: ({ rate }) => rate.rate.toFixed(),
    }),
    source: t.string({
      description:
        'The source of the exchange rate: the host and path of a feed, `manual`, or `same currency`. If several sources or a markup apply, they are joined with ` + `.',
      resolve: ({ rate }) => rate.source,
    }),
    effectiveAt: t.field({
      type: 'DateTime',
      description: 'The date of the exchange rate according to its source.',
      resolve: ({ rate }) => rate.asOf,
    }),
  }),
});

builder.queryFields((t) => ({
  forex: t.field({
    type: ForexQuote,
    nullable: true,
    description:
      'Converts an amount to another currency at the exchange rate that charges use, including your `Merchant.exchangeRateMarkup`. The query fails with `currency_unsupported`, `rate_unavailable`, `rate_stale` or `amount_out_of_range` if the amount cannot be converted.',
    args: {
      sourceCurrency: t.arg({
        type: 'CurrencyCode',
        required: true,
        description: 'The currency of `sourceAmount`.',
      }),
      sourceAmount: t.arg({
        type: 'Decimal',
        required: true,
        description: 'The amount to convert, in major units.',
      }),
      destinationCurrency: t.arg({
        type: 'CurrencyCode',
        required: true,
        description: 'The currency to which the amount is converted.',
      }),
    },
    resolve: (_root, args, context) => {
      const { mode, merchant } = requireMerchantCaller(context);
      const options = { ...args, merchant, mode, now: getMerchantTime(context) };
      return quoteForex(context.service, options);
    },
  }),
  currencies: t.field({
    type: ['CurrencyCode'],
    nullable: true,
    description:
      'Returns the currencies in which you can charge, in alphabetical order: those with an exchange rate, and those of your active receiving accounts.',
    resolve: (_root, _args, context) => {
      const { mode, merchant } = requireMerchantCaller(context);
      return findChargeCurrencies(context.service, { merchant, mode, now: getMerchantTime(context) });
    },
  }),
  missingExchangeRates: t.field({
    type: [MissingExchangeRate],
    nullable: true,
    description:
      'Returns the pairs of currencies of your active receiving accounts without a usable exchange rate. Prices in one currency are then not offered the payment methods of the other.',
    resolve: (_root, _args, context) => {
      const { mode, merchant } = requireMerchantCaller(context);
      return findMissingRates(context.service, { merchant, mode, now: getMerchantTime(context) });
    },
  }),
}));
