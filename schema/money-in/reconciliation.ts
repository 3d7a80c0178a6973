import {
  type Reconciliation,
  type ReconciliationLine,
  reconcile,
} from '../../src/domain/money-in/reconciliation/reconcile.ts';
import { ReceivingAccountType } from '../accounts/receiving-account.ts';
import { builder } from '../kit/builder.ts';
import { merchantCaller } from '../kit/graphql-context.ts';
import { decimal } from '../scalars.ts';

type Sum = {
  [Name in keyof ReconciliationLine]: ReconciliationLine[Name] extends bigint ? Name : never;
}[keyof ReconciliationLine];

const sums: Record<Sum, string> = {
  opening: 'What stood at the beginning: received before, less what was given back.',
  received: 'What came: `matched` + `partial` + `exceptions` + `returned`.',
  matched: 'Of that, what counts for charges that are paid, or for refunds whose payout came back.',
  partial: 'Of that, what is part of a charge that is not paid yet.',
  exceptions: 'Of that, what counts for nothing yet: somebody has to decide.',
  returned: 'Of that, what was sent back to its payer or taken back by the bank.',
  refunded: 'Payouts of refunds.',
  closing: 'What stands at the end: `opening` + `received` − `returned` − `refunded`.',
  otherOutgoing: 'What else went out, as statements tell; no part of the other sums.',
};

const ReconciliationLineType = builder.objectRef<ReconciliationLine>('ReconciliationLine').implement({
  description: 'What one account received and gave back in one currency.',
  fields: (t) => ({
    receivingAccount: t.field({
      type: ReceivingAccountType,
      description: 'The account.',
      resolve: ({ account }) => account,
    }),
    currency: t.expose('currency', { type: 'CurrencyCode', description: 'The currency.' }),
    ...(Object.fromEntries(
      (Object.keys(sums) as Sum[]).map((name) => [
        name,
        t.field({
          type: 'Decimal',
          description: sums[name],
          resolve: (line) => decimal(line[name], line.currency),
        }),
      ]),
    ) as Record<Sum, ReturnType<typeof t.string>>),
  }),
});

const ReconciliationType = builder.objectRef<Reconciliation>('Reconciliation').implement({
  description:
    'What your accounts received and gave back over some days, as it stands now: money counts on the day it was paid, for what it counts at present.',
  fields: (t) => ({
    from: t.expose('from', { type: 'Date', description: 'The first day.' }),
    to: t.expose('to', { type: 'Date', description: 'The last day.' }),
    timeZone: t.exposeString('timeZone', { description: 'Whose days they are: your time zone.' }),
    start: t.expose('start', { type: 'DateTime', description: 'When the first day began.' }),
    end: t.expose('end', { type: 'DateTime', description: 'When the last day ended.' }),
    lines: t.expose('lines', {
      type: [ReconciliationLineType],
      description: 'One an account and currency in which anything moved.',
    }),
  }),
});

builder.queryField('reconciliation', (t) =>
  t.field({
    type: ReconciliationType,
    description: 'The books of your accounts over some days, both included.',
    args: {
      from: t.arg({ type: 'Date', required: true, description: 'The first day, by your time zone.' }),
      to: t.arg({ type: 'Date', required: true, description: 'The last day.' }),
    },
    resolve: (_root, { from, to }, context) => {
      const { merchant, mode } = merchantCaller(context);
      return reconcile(context.service, { merchant, mode, from, to });
    },
  }),
);
