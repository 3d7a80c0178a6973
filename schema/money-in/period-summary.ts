import { type SellerMetrics, sumBySeller } from '../../src/domain/payments/charge-list/sum-by-seller.ts';
import {
  type MethodMetrics,
  type PeriodMetrics,
  type PeriodSummary,
  summarizePeriod,
} from '../../src/domain/payments/charge-list/summarize-period.ts';
import { builder } from '../kit/builder.ts';
import { getMerchantScope, getMerchantTime, requireScopedCaller } from '../kit/graphql-context.ts';
import { readStale } from '../kit/stale-reader.ts';
import { getSellerName } from '../payments/charge-seller.ts';
import { PaymentMethodCode } from '../payments/payment-method.ts';
import { toDecimalScalar } from '../scalars.ts';

const PeriodMetricsType = builder.objectRef<PeriodMetrics>('PeriodMetrics').implement({
  description: 'The metrics of a period. Amounts are in the reporting currency.',
  fields: (t) => ({
    from: t.expose('from', { type: 'DateTime', description: 'The start of the period, inclusive.' }),
    before: t.expose('before', { type: 'DateTime', description: 'The end of the period, exclusive.' }),
    collectedAmount: t.field({
      type: 'Decimal',
      description: 'The amount collected by the charges that completed in the period.',
      resolve: ({ collected: { minor, currency } }) => toDecimalScalar(minor, currency),
    }),
    collectedCount: t.exposeInt('collectedCount', {
      description: 'The number of charges that completed in the period.',
    }),
    refundedAmount: t.field({
      type: 'Decimal',
      description: 'The amount of the refunds that completed in the period.',
      resolve: ({ refunded: { minor, currency } }) => toDecimalScalar(minor, currency),
    }),
    refundedCount: t.exposeInt('refundedCount', {
      description: 'The number of refunds that completed in the period.',
    }),
    createdCount: t.int({
      description: 'The number of charges that were created in the period.',
      resolve: ({ created }) => Object.values(created).reduce((sum, count) => sum + count, 0),
    }),
    completedCount: t.int({
      description: 'The number of the charges created in the period that are completed now.',
      resolve: ({ created }) => created.completed,
    }),
    pendingCount: t.int({
      description: 'The number of the charges created in the period that can still be paid.',
      resolve: ({ created }) => created.pending,
    }),
    expiredCount: t.int({
      description: 'The number of the charges created in the period that have expired.',
      resolve: ({ created }) => created.expired,
    }),
    cancelledCount: t.int({
      description: 'The number of the charges created in the period that were cancelled.',
      resolve: ({ created }) => created.cancelled,
    }),
    medianSecondsToPay: t.int({
      nullable: true,
      description:
        'The median number of seconds from the creation to the completion of a charge, of the 5,000 charges that completed last in the period. Null if none completed.',
      resolve: ({ medianSecondsToPay }) => medianSecondsToPay && Math.round(medianSecondsToPay),
    }),
  }),
});

const MethodMetricsType = builder.objectRef<MethodMetrics>('MethodMetrics').implement({
  description: 'The amounts that a payment method collected in the current period.',
  fields: (t) => ({
    method: t.expose('method', { type: PaymentMethodCode, description: 'The payment method.' }),
    currency: t.field({
      type: 'CurrencyCode',
      description: 'The currency in which customers paid.',
      resolve: ({ collected }) => collected.money.currency,
    }),
    collectedAmount: t.field({
      type: 'Decimal',
      description: 'The amount collected, in `currency`.',
      resolve: ({ collected: { money } }) => toDecimalScalar(money.minor, money.currency),
    }),
    convertedAmount: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'The same amount in the reporting currency. Null if there is no exchange rate.',
      resolve: ({ converted }) => converted && toDecimalScalar(converted.minor, converted.currency),
    }),
    previousAmount: t.field({
      type: 'Decimal',
      description: 'The amount collected in the previous period, in `currency`.',
      resolve: ({ previous }) => toDecimalScalar(previous.minor, previous.currency),
    }),
    chargeCount: t.int({
      description: 'The number of charges that completed in the period.',
      resolve: ({ collected }) => collected.charges,
    }),
    dailyAmounts: t.field({
      type: ['Decimal'],
      description: 'The amount collected on each day of the period, oldest first, in `currency`.',
      resolve: ({ days }) => days.map(({ minor, currency }) => toDecimalScalar(minor, currency)),
    }),
  }),
});

const SellerMetricsType = builder.objectRef<SellerMetrics>('SellerMetrics').implement({
  description: 'The sales at the counter by one user in the current period, in one currency.',
  fields: (t) => ({
    sellerId: t.exposeID('sellerId', { description: 'The ID of the user, `usr_…`.' }),
    name: t.string({
      nullable: true,
      description:
        'The name of the user or, without a name, the email address. Null for users who were removed, and for API keys without the permission `manage`.',
      resolve: ({ sellerId }, _args, context) => getSellerName(context, sellerId),
    }),
    currency: t.field({
      type: 'CurrencyCode',
      description: 'The currency in which customers paid.',
      resolve: ({ collected }) => collected.money.currency,
    }),
    collectedAmount: t.field({
      type: 'Decimal',
      description: 'The amount collected, in `currency`.',
      resolve: ({ collected: { money } }) => toDecimalScalar(money.minor, money.currency),
    }),
    refundedAmount: t.field({
      type: 'Decimal',
      description:
        'The amount of the refunds that completed in the period, also of earlier sales, in `currency`.',
      resolve: ({ refundedMinor, collected }) => toDecimalScalar(refundedMinor, collected.money.currency),
    }),
    chargeCount: t.int({
      description: 'The number of charges that completed in the period.',
      resolve: ({ collected }) => collected.charges,
    }),
  }),
});

const ReportingRate = builder.objectRef<PeriodSummary['rates'][number]>('ReportingRate').implement({
  description: 'An exchange rate by which the amounts of a summary were converted, without markup.',
  fields: (t) => ({
    currency: t.expose('currency', { type: 'CurrencyCode', description: 'The currency that was converted.' }),
    rate: t.field({
      type: 'Decimal',
      description: 'The number of units of the reporting currency for one unit of `currency`.',
      resolve: ({ rate }) => rate.rate.toSignificantDigits(10).toFixed(),
    }),
    effectiveAt: t.field({
      type: 'DateTime',
      description: 'The date of the exchange rate according to its source.',
      resolve: ({ rate }) => rate.asOf,
    }),
  }),
});

const PeriodSummaryType = builder.objectRef<PeriodSummary>('PeriodSummary').implement({
  description:
    'The amounts that you collected and refunded in a period, compared with the previous period. All amounts are converted at the newest exchange rates.',
  fields: (t) => ({
    currency: t.expose('currency', { type: 'CurrencyCode', description: 'The reporting currency.' }),
    rates: t.expose('rates', {
      type: [ReportingRate],
      description: 'The exchange rates of the other currencies.',
    }),
    unconvertedCurrencies: t.field({
      type: ['CurrencyCode'],
      description: 'The currencies without an exchange rate, whose amounts no total contains.',
      resolve: ({ unconverted }) => unconverted,
    }),
    current: t.expose('current', { type: PeriodMetricsType, description: 'The metrics of the period.' }),
    previous: t.expose('previous', {
      type: PeriodMetricsType,
      description: 'The metrics of the previous period, up to the same time of day.',
    }),
    methods: t.expose('methods', {
      type: [MethodMetricsType],
      description: 'The payment methods that collected anything in the period, the largest amount first.',
    }),
    sellers: t.field({
      type: [SellerMetricsType],
      description:
        'The users who sold at the counter, with one entry for each currency, the largest amount first. A charge counts in the period in which it completed.',
      resolve: ({ current: { from, before } }, _args, context) =>
        readStale(context, (reads) => sumBySeller(reads, { ...getMerchantScope(context), from, before })),
    }),
  }),
});

builder.queryField('periodSummary', (t) =>
  t.field({
    type: PeriodSummaryType,
    nullable: true,
    description:
      'Returns the amounts that you collected and refunded in the last days and in the previous period, in one currency, and the numbers of charges.',
    args: {
      days: t.arg.int({
        required: true,
        defaultValue: 30,
        description: 'The number of days including today: 1, 7, 30 or 90.',
      }),
      timeZone: t.arg.string({
        description: 'The IANA time zone of the days. The default is the time zone in your settings.',
      }),
      currency: t.arg({
        type: 'CurrencyCode',
        description:
          'The reporting currency. The default is the currency of your active live receiving accounts; of several currencies, the one in which most charges were paid.',
      }),
    },
    resolve: (_root, { days, timeZone, currency }, context) => {
      const { merchant, mode } = requireScopedCaller(context);
      return readStale(context, (reads) =>
        summarizePeriod(reads, {
          merchant,
          mode,
          rates: context.service,
          days,
          timeZone: timeZone ?? merchant.timeZone,
          currency: currency ?? undefined,
          now: getMerchantTime(context),
        }),
      );
    },
  }),
);
