import {
  type SubscriptionFigures,
  sumSubscriptions,
} from '../../src/domain/billing/subscription/sum-subscriptions.ts';
import type { Money } from '../../src/kit/money.ts';
import { builder } from '../kit/builder.ts';
import { owned, ownNow } from '../kit/graphql-context.ts';
import { decimal } from '../scalars.ts';

const MonthlyRevenue = builder.objectRef<Money>('MonthlyRevenue').implement({
  description: 'What subscriptions bring in a month, in one currency.',
  fields: (t) => ({
    currency: t.field({
      type: 'CurrencyCode',
      description: 'The currency of the plans.',
      resolve: ({ currency }) => currency,
    }),
    amount: t.field({
      type: 'Decimal',
      description: 'How much; other periods are counted as mean months.',
      resolve: ({ minor, currency }) => decimal(minor, currency),
    }),
  }),
});

const SubscriptionFiguresType = builder.objectRef<SubscriptionFigures>('SubscriptionFigures').implement({
  description: 'Your subscriptions at a glance.',
  fields: (t) => ({
    active: t.exposeInt('active', { description: 'How many are active.' }),
    paused: t.exposeInt('paused', { description: 'How many wait for a payment that was missed.' }),
    dueSoon: t.exposeInt('dueSoon', {
      description: 'How many of the active ones are to be paid within seven days, or overdue.',
    }),
    monthlyRevenue: t.field({
      type: [MonthlyRevenue],
      description: 'What the active ones that will be asked again bring in a month, by currency.',
      resolve: ({ monthlyRevenue }) => monthlyRevenue,
    }),
  }),
});

builder.queryField('subscriptionFigures', (t) =>
  t.field({
    type: SubscriptionFiguresType,
    description: 'Your subscriptions at a glance.',
    resolve: (_root, _args, context) =>
      sumSubscriptions(context.service, { ...owned(context), now: ownNow(context) }),
  }),
);
