import { type Collected, sumCollected } from '../src/domain/charge/sum-collected.ts';
import { builder } from './builder.ts';
import { owned } from './graphql-context.ts';
import { decimal } from './scalars.ts';

const CollectedAmount = builder.objectRef<Collected>('CollectedAmount').implement({
  description: 'What completed charges brought in one currency.',
  fields: (t) => ({
    currency: t.field({
      type: 'CurrencyCode',
      description: 'The currency customers paid in.',
      resolve: ({ money }) => money.currency,
    }),
    amount: t.field({
      type: 'Decimal',
      description: 'What was received; of charges completed by hand, what they asked.',
      resolve: ({ money }) => decimal(money.minor, money.currency),
    }),
    charges: t.exposeInt('charges', { description: 'Of how many charges.' }),
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
