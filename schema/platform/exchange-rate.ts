import type { ForexRate } from '../../prisma/client/client.ts';
import { type ListedRate, listRates } from '../../src/domain/platform/forex/get-rate.ts';
import { removeExchangeRate, setExchangeRate } from '../../src/domain/platform/forex/manual-rates.ts';
import { Decimal } from '../../src/kit/decimal.ts';
import { builder } from '../kit/builder.ts';
import { requireOperator } from '../kit/graphql-context.ts';
import { successType } from '../kit/success-type.ts';
import { loadActorName } from './actor.ts';

const ExchangeRate = builder.objectRef<ListedRate>('ExchangeRate').implement({
  description: 'An exchange rate stored on this installation, as reported by one source for one currency.',
  fields: (t) => ({
    currency: t.expose('currency', {
      type: 'CurrencyCode',
      description: 'The currency that is converted to and from the euro.',
    }),
    rate: t.field({
      type: 'Decimal',
      description: 'The number of units of the currency for one euro.',
      resolve: ({ rate, baseRate }) => perEuro({ rate, baseRate }),
    }),
    source: t.exposeString('source', {
      description: 'The source of the exchange rate: the host and path of a feed, or `manual`.',
    }),
    isActive: t.exposeBoolean('isApplicable', {
      description: 'Whether live charges use this exchange rate, because it is the newest of its currency.',
    }),
    effectiveAt: t.expose('asOf', {
      type: 'DateTime',
      description: 'The date of the exchange rate according to its source.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'The time at which the exchange rate was fetched or set.',
    }),
    setByEmail: t.string({
      nullable: true,
      description: 'The email address of the operator who set the exchange rate. Null if a feed reported it.',
      resolve: ({ setBy }, _args, context) => (setBy === null ? null : loadActorName(context, setBy)),
    }),
  }),
});

function perEuro({ rate, baseRate }: Pick<ForexRate, 'rate' | 'baseRate'>): string {
  return new Decimal(rate).div(baseRate).toSignificantDigits(10).toFixed();
}

builder.queryField('exchangeRates', (t) =>
  t.field({
    type: [ExchangeRate],
    nullable: true,
    skipTypeScopes: true,
    authScopes: { operator: true },
    description:
      'Returns all exchange rates stored on this installation, ordered by currency. Requires an operator.',
    resolve: (_root, _args, { service }) => listRates(service),
  }),
);

const SetExchangeRateInput = builder.inputType('SetExchangeRateInput', {
  description: 'The currency and its new exchange rate.',
  fields: (t) => ({
    currency: t.field({
      type: 'CurrencyCode',
      required: true,
      description: 'The currency whose exchange rate is set. It cannot be the euro.',
    }),
    rate: t.field({
      type: 'Decimal',
      required: true,
      description: 'The number of units of the currency for one euro.',
    }),
  }),
});

const SetExchangeRateSuccess = successType('SetExchangeRateSuccess', {
  description:
    'The result of setting an exchange rate. Charges use it until a feed reports a rate with a later date.',
  fields: {
    exchangeRate: {
      property: 'rate',
      type: ExchangeRate,
      description: 'The exchange rate that was set. Its `isActive` is true.',
    },
  },
});

builder.mutationField('setExchangeRate', (t) =>
  t.field({
    type: SetExchangeRateSuccess,
    errors: {},
    twoFactor: 'always',
    authScopes: { operator: true },
    description:
      'Sets the exchange rate of a currency manually. The mutation fails with `invalid_request` if the currency is not supported or is the euro. Requires an operator.',
    args: {
      input: t.arg({
        type: SetExchangeRateInput,
        required: true,
        description: 'The currency and its new exchange rate.',
      }),
    },
    resolve: async (_root, { input }, context) => {
      const rate = await setExchangeRate(context.service, { ...requireOperator(context), ...input });
      return { rate: { ...rate, isApplicable: true } };
    },
  }),
);

const RemoveExchangeRateInput = builder.inputType('RemoveExchangeRateInput', {
  description: 'The currency whose manually set exchange rate is removed.',
  fields: (t) => ({
    currency: t.field({
      type: 'CurrencyCode',
      required: true,
      description: 'The currency whose manually set rate is removed.',
    }),
  }),
});

const RemoveExchangeRateSuccess = successType('RemoveExchangeRateSuccess', {
  description:
    'The result of removing a manually set exchange rate. The rate that the feeds report applies again, if there is one.',
  fields: {
    currency: { type: 'CurrencyCode', description: 'The currency whose manually set rate was removed.' },
  },
});

builder.mutationField('removeExchangeRate', (t) =>
  t.field({
    type: RemoveExchangeRateSuccess,
    errors: {},
    twoFactor: 'always',
    authScopes: { operator: true },
    description:
      'Removes a manually set exchange rate. The mutation fails with `invalid_request` if the currency has no manually set rate. Requires an operator.',
    args: {
      input: t.arg({
        type: RemoveExchangeRateInput,
        required: true,
        description: 'The currency whose exchange rate is removed.',
      }),
    },
    resolve: async (_root, { input }, context) => ({
      currency: await removeExchangeRate(context.service, { ...requireOperator(context), ...input }),
    }),
  }),
);
