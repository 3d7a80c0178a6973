import {
  type SubscriptionSummary,
  sumSubscriptions,
} from '../../src/domain/billing/subscription/sum-subscriptions.ts';
import type { Money } from '../../src/kit/money.ts';
import { builder } from '../kit/builder.ts';
import { getMerchantScope, getMerchantTime } from '../kit/graphql-context.ts';
import { readStale } from '../kit/stale-reader.ts';
import { toDecimalScalar } from '../scalars.ts';

const MonthlyRevenue = builder.objectRef<Money>('MonthlyRecurringRevenue').implement({
  description: 'The monthly recurring revenue from subscriptions in one currency.',
  fields: (t) => ({
    currency: t.field({
      type: 'CurrencyCode',
      description: 'The currency of `amount` and of the plans whose revenue it sums.',
      resolve: ({ currency }) => currency,
    }),
    amount: t.field({
      type: 'Decimal',
      description: 'The revenue per month. Other billing periods are converted to average months.',
      resolve: ({ minor, currency }) => toDecimalScalar(minor, currency),
    }),
  }),
});

const SubscriptionSummaryType = builder.objectRef<SubscriptionSummary>('SubscriptionSummary').implement({
  description: 'The numbers of your subscriptions and their monthly recurring revenue.',
  fields: (t) => ({
    activeCount: t.exposeInt('active', { description: 'The number of active subscriptions.' }),
    pausedCount: t.exposeInt('paused', {
      description: 'The number of paused subscriptions.',
    }),
    dueSoonCount: t.exposeInt('dueSoon', {
      description:
        'The number of active subscriptions with a payment that is due within seven days or is overdue.',
    }),
    monthlyRecurringRevenue: t.field({
      type: [MonthlyRevenue],
      description:
        'The monthly recurring revenue from active subscriptions that have a further payment, by currency.',
      resolve: ({ monthlyRevenue }) => monthlyRevenue,
    }),
  }),
});

builder.queryField('subscriptionSummary', (t) =>
  t.field({
    type: SubscriptionSummaryType,
    nullable: true,
    description:
      'Returns the numbers of your subscriptions and their monthly recurring revenue, in the mode of the request.',
    resolve: (_root, _args, context) =>
      readStale(context, (reads) =>
        sumSubscriptions(reads, { ...getMerchantScope(context), now: getMerchantTime(context) }),
      ),
  }),
);
