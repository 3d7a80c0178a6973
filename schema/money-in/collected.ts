import {
  type CollectedDay,
  type CollectedSum,
  sumCollected,
  sumCollectedByDay,
} from '../../src/domain/payments/charge-list/sum-collected.ts';
import { builder } from '../kit/builder.ts';
import { getMerchantScope, getMerchantTime, requireScopedCaller } from '../kit/graphql-context.ts';
import { chooseStaleReader, readStale } from '../kit/stale-reader.ts';
import { PaymentMethodCode } from '../payments/payment-method.ts';
import { toDecimalScalar } from '../scalars.ts';

const sumFields = {
  currency: {
    type: 'CurrencyCode',
    description: 'The currency of `amount`, in which customers paid.',
    resolve: ({ money }: CollectedSum) => money.currency,
  },
  amount: {
    type: 'Decimal',
    description:
      'The sum of the amounts received, in `currency`. A charge that was completed with `completeSandboxCharge` is included with the amount charged.',
    resolve: ({ money }: CollectedSum) => toDecimalScalar(money.minor, money.currency),
  },
  charges: { description: 'The number of charges in the sum.' },
} as const;

const CollectedAmount = builder.objectRef<CollectedSum>('CollectedAmount').implement({
  description: 'The amount that completed charges collected in one currency.',
  fields: (t) => ({
    currency: t.field(sumFields.currency),
    amount: t.field(sumFields.amount),
    chargeCount: t.exposeInt('charges', sumFields.charges),
  }),
});

builder.queryField('collectedAmounts', (t) =>
  t.field({
    type: [CollectedAmount],
    nullable: true,
    description:
      'Returns the amounts collected by charges that completed in a time range, by currency. The list is empty if none completed.',
    args: {
      completedFrom: t.arg({
        type: 'DateTime',
        required: true,
        description: 'The start of the time range, inclusive.',
      }),
      completedBefore: t.arg({
        type: 'DateTime',
        description: 'The end of the time range, exclusive. If omitted, the range has no end.',
      }),
    },
    resolve: (_root, { completedFrom, completedBefore }, context) =>
      readStale(context, (reads) =>
        sumCollected(reads, {
          ...getMerchantScope(context),
          from: completedFrom,
          to: completedBefore ?? undefined,
        }),
      ),
  }),
);

const CollectedAmountByMethod = builder
  .objectRef<CollectedDay['amounts'][number]>('CollectedAmountByMethod')
  .implement({
    description: 'The amount that completed charges collected with one payment method.',
    fields: (t) => ({
      method: t.expose('method', {
        type: PaymentMethodCode,
        description: 'The payment method that customers used.',
      }),
      currency: t.field(sumFields.currency),
      amount: t.field(sumFields.amount),
      chargeCount: t.exposeInt('charges', sumFields.charges),
    }),
  });

const CollectedDayType = builder.objectRef<CollectedDay>('DailyCollectedAmounts').implement({
  description: 'The amounts that completed charges collected on one day.',
  fields: (t) => ({
    date: t.expose('date', {
      type: 'Date',
      description: 'The day on which the charges completed, in the requested time zone.',
    }),
    amounts: t.field({
      type: [CollectedAmountByMethod],
      description:
        'The amounts by currency and payment method. The list is empty if no charge completed on that day.',
      resolve: ({ amounts }) => amounts,
    }),
  }),
});

builder.queryField('dailyCollectedAmounts', (t) =>
  t.field({
    type: [CollectedDayType],
    nullable: true,
    description:
      'Returns the amounts that your completed charges collected on each of the last `days` days, oldest first.',
    args: {
      days: t.arg.int({
        defaultValue: 30,
        required: true,
        description:
          'The number of days, from 1 to 92. The last day is today; in the sandbox, today is the day of the test clock.',
      }),
      timeZone: t.arg.string({
        description: 'The IANA time zone of the days. The default is the time zone in your settings.',
      }),
    },
    resolve: (_root, { days, timeZone }, context) =>
      readStale(context, (reads) =>
        sumCollectedByDay(reads, {
          ...getMerchantScope(context),
          days,
          timeZone: timeZone ?? requireScopedCaller(context).merchant.timeZone,
          now: getMerchantTime(context),
        }),
      ),
  }),
);

builder.queryField('dataAsOf', (t) =>
  t.field({
    type: 'DateTime',
    nullable: true,
    description:
      'Returns the time until which the totals in this request include all changes, if a standby of the database provides them. Null if they are current. Totals are the results of `collectedAmounts`, `dailyCollectedAmounts`, `periodSummary`, `subscriptionSummary`, `books` and `reconciliation`, the `activity` of merchants, and the `totalCount` of `transfers` with a `search`.',
    resolve: async (_root, _args, context) => (await chooseStaleReader(context)).asOf,
  }),
);
