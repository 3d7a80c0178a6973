import { type CollectedDay, collectByDay } from '../../src/domain/payments/charge-list/collect-by-day.ts';
import { type Collected, sumCollected } from '../../src/domain/payments/charge-list/sum-collected.ts';
import { builder } from '../kit/builder.ts';
import { boundCaller, owned, ownNow } from '../kit/graphql-context.ts';
import { PaymentMethodCode } from '../payments/payment-method.ts';
import { decimal } from '../scalars.ts';

/** What is told of a sum, whatever it is the sum of. */
const sumOf = {
  currency: {
    type: 'CurrencyCode',
    description: 'The currency customers paid in.',
    resolve: ({ money }: Collected) => money.currency,
  },
  amount: {
    type: 'Decimal',
    description: 'What was received; of charges completed by hand, what they asked.',
    resolve: ({ money }: Collected) => decimal(money.minor, money.currency),
  },
  charges: { description: 'Of how many charges.' },
} as const;

const CollectedAmount = builder.objectRef<Collected>('CollectedAmount').implement({
  description: 'What completed charges brought in one currency.',
  fields: (t) => ({
    currency: t.field(sumOf.currency),
    amount: t.field(sumOf.amount),
    charges: t.exposeInt('charges', sumOf.charges),
  }),
});

builder.queryField('collected', (t) =>
  t.field({
    type: [CollectedAmount],
    description: 'What your charges that completed in a span of time brought, by currency.',
    args: {
      from: t.arg({ type: 'DateTime', required: true, description: 'The beginning of the span.' }),
      to: t.arg({
        type: 'DateTime',
        description: 'Its end, not included; everything since `from` when left out.',
      }),
    },
    resolve: (_root, { from, to }, context) =>
      sumCollected(context.service, { ...owned(context), from, to: to ?? undefined }),
  }),
);

const CollectedByMethod = builder.objectRef<CollectedDay['amounts'][number]>('CollectedByMethod').implement({
  description: 'What completed charges brought by one payment method.',
  fields: (t) => ({
    method: t.expose('method', { type: PaymentMethodCode, description: 'How customers paid.' }),
    currency: t.field(sumOf.currency),
    amount: t.field(sumOf.amount),
    charges: t.exposeInt('charges', sumOf.charges),
  }),
});

const CollectedDayType = builder.objectRef<CollectedDay>('CollectedDay').implement({
  description: 'What completed charges brought on one day.',
  fields: (t) => ({
    date: t.expose('date', { type: 'Date', description: 'The day.' }),
    amounts: t.field({
      type: [CollectedByMethod],
      description: 'What it brought, by currency and method; nothing on a day without a completed charge.',
      resolve: ({ amounts }) => amounts,
    }),
  }),
});

builder.queryField('collectedByDay', (t) =>
  t.field({
    type: [CollectedDayType],
    description: 'What your completed charges brought on each of the last days, the oldest first.',
    args: {
      days: t.arg.int({
        defaultValue: 30,
        required: true,
        description: 'How many days, 1 to 92. The last one is today; in the sandbox, by its test clock.',
      }),
      timeZone: t.arg.string({
        description: 'Whose days they are: an IANA time zone, that of your settings when left out.',
      }),
    },
    resolve: (_root, { days, timeZone }, context) =>
      collectByDay(context.service, {
        ...owned(context),
        days,
        timeZone: timeZone ?? boundCaller(context).merchant.timeZone,
        now: ownNow(context),
      }),
  }),
);
