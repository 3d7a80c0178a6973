import {
  type Reconciliation,
  type ReconciliationLine,
  reconcile,
} from '../../src/domain/money-in/reconciliation/reconcile.ts';
import { ReceivingAccountType } from '../accounts/receiving-account.ts';
import { builder } from '../kit/builder.ts';
import { requireMerchantCaller } from '../kit/graphql-context.ts';
import { toDecimalScalar } from '../scalars.ts';

type ReconciliationSum = {
  [Name in keyof ReconciliationLine]: ReconciliationLine[Name] extends bigint ? Name : never;
}[keyof ReconciliationLine];

const sums: Record<ReconciliationSum, string> = {
  opening: 'The opening balance: everything received before, minus everything returned and refunded.',
  received: 'The amount received: `matched` + `partial` + `exceptions` + `returned`.',
  matched: 'The part of `received` that is applied to paid charges, or to refunds whose payout was returned.',
  partial: 'The part of `received` that is applied to charges that are not fully paid.',
  exceptions: 'The part of `received` that is not allocated yet and needs review.',
  returned: 'The part of `received` that was returned to the payer or reversed by the bank.',
  refunded: 'The amount of refund payouts.',
  closing: 'The closing balance: `opening` + `received` − `returned` − `refunded`.',
  otherOutgoing: 'Other outgoing amounts that statements report. They are not part of the other sums.',
};

const ReconciliationLineType = builder.objectRef<ReconciliationLine>('ReconciliationLine').implement({
  description: 'The amounts that one account received and paid out in one currency.',
  fields: (t) => ({
    receivingAccount: t.field({
      type: ReceivingAccountType,
      description: 'The receiving account.',
      resolve: ({ account }) => account,
    }),
    currency: t.expose('currency', { type: 'CurrencyCode', description: 'The currency of the amounts.' }),
    ...(Object.fromEntries(
      (Object.keys(sums) as ReconciliationSum[]).map((name) => [
        name,
        t.field({
          type: 'Decimal',
          description: sums[name],
          resolve: (line) => toDecimalScalar(line[name], line.currency),
        }),
      ]),
    ) as Record<ReconciliationSum, ReturnType<typeof t.string>>),
  }),
});

const ReconciliationType = builder.objectRef<Reconciliation>('Reconciliation').implement({
  description:
    'The amounts that your accounts received and paid out over a range of days, as of now. Money is counted on the day it was paid, according to its current allocation.',
  fields: (t) => ({
    from: t.expose('from', { type: 'Date', description: 'The first day.' }),
    to: t.expose('to', { type: 'Date', description: 'The last day.' }),
    timeZone: t.exposeString('timeZone', {
      description: 'The time zone of the days, which is your time zone.',
    }),
    start: t.expose('start', { type: 'DateTime', description: 'The start of the first day.' }),
    end: t.expose('end', { type: 'DateTime', description: 'The end of the last day.' }),
    lines: t.expose('lines', {
      type: [ReconciliationLineType],
      description:
        'The amounts by account and currency. Accounts and currencies without movements are left out.',
    }),
  }),
});

builder.queryField('reconciliation', (t) =>
  t.field({
    type: ReconciliationType,
    description:
      'Returns the reconciliation of your accounts over a range of days, including the first and the last day.',
    args: {
      from: t.arg({ type: 'Date', required: true, description: 'The first day, in your time zone.' }),
      to: t.arg({ type: 'Date', required: true, description: 'The last day, in your time zone.' }),
    },
    resolve: (_root, { from, to }, context) => {
      const { merchant, mode } = requireMerchantCaller(context);
      return reconcile(context.service, { merchant, mode, from, to });
    },
  }),
);
