import {
  findStatementGaps,
  type StatementGap,
} from '../../src/domain/money-in/reconciliation/find-statement-gaps.ts';
import {
  type Reconciliation,
  type ReconciliationLine,
  type ReconciliationSum,
  reconcile,
} from '../../src/domain/money-in/reconciliation/reconcile.ts';
import { ReceivingAccountType } from '../accounts/receiving-account.ts';
import { builder } from '../kit/builder.ts';
import { getMerchantScope, requireMerchantCaller } from '../kit/graphql-context.ts';
import { readStale } from '../kit/stale-reader.ts';
import { toDecimalScalar } from '../scalars.ts';
import { defineAmountFields } from './amount-fields.ts';

/** For each sum of a line, its name in the domain and its description. */
const sums = {
  openingBalance: [
    'opening',
    'The opening balance: all amounts received before the first day, minus all amounts returned and refunded before that day.',
  ],
  receivedAmount: [
    'received',
    'The amount received: `matchedAmount` + `partialAmount` + `exceptionAmount` + `returnedAmount` + `otherIncomingAmount`.',
  ],
  matchedAmount: [
    'matched',
    'The part of `receivedAmount` that is applied to paid charges, or to refunds whose payout was returned.',
  ],
  partialAmount: [
    'partial',
    'The part of `receivedAmount` that is applied to charges that are not fully paid.',
  ],
  exceptionAmount: ['exceptions', 'The part of `receivedAmount` that is not allocated yet and needs review.'],
  returnedAmount: [
    'returned',
    'The part of `receivedAmount` that was returned to payers or reversed by the bank.',
  ],
  otherIncomingAmount: [
    'otherIncoming',
    'The part of `receivedAmount` that is not a customer payment, such as interest.',
  ],
  refundedAmount: ['refunded', 'The amount paid out for refunds.'],
  feeAmount: [
    'fees',
    'The fees that acquirers deducted from batches. The payments of a batch are received in full.',
  ],
  closingBalance: [
    'closing',
    'The closing balance: `openingBalance` + `receivedAmount` − `returnedAmount` − `refundedAmount` − `feeAmount`.',
  ],
  otherOutgoingAmount: [
    'otherOutgoingAmount',
    'The amount of other outgoing transfers that statements report, without those that may have been reported before (`possible_duplicate`). It is not part of any other sum.',
  ],
  possibleDuplicateAmount: [
    'possibleDuplicates',
    'The amount of credits that may have been reported before (`possible_duplicate`). It is not part of any other sum until you decide about them.',
  ],
} as const satisfies Record<string, readonly [ReconciliationSum, string]>;

const ReconciliationLineType = builder.objectRef<ReconciliationLine>('ReconciliationLine').implement({
  description: 'The amounts that one account received and paid out in one currency.',
  fields: (t) => ({
    receivingAccount: t.field({
      type: ReceivingAccountType,
      description: 'The account that received and paid out the amounts.',
      resolve: ({ account }) => account,
    }),
    currency: t.expose('currency', {
      type: 'CurrencyCode',
      description: 'The currency of all amounts of this line.',
    }),
    ...defineAmountFields(t, sums),
  }),
});

const StatementGapType = builder.objectRef<StatementGap>('StatementGap').implement({
  description:
    'A gap between two statements of an account: the opening balance of the second is not the closing balance of the first.',
  fields: (t) => ({
    receivingAccount: t.field({
      type: ReceivingAccountType,
      description: 'The receiving account.',
      resolve: ({ account }) => account,
    }),
    currency: t.expose('currency', { type: 'CurrencyCode', description: 'The currency of the balances.' }),
    closingBalance: t.field({
      type: 'Decimal',
      description: 'The closing balance of the last statement before the gap.',
      resolve: ({ previous, currency }) => toDecimalScalar(BigInt(previous.closing), currency),
    }),
    closedOn: t.field({
      type: 'Date',
      nullable: true,
      description: 'The date of the closing balance. Null if the file has none.',
      resolve: ({ previous }) => previous.closingOn,
    }),
    openingBalance: t.field({
      type: 'Decimal',
      description: 'The opening balance of the first statement after the gap.',
      resolve: ({ next, currency }) => toDecimalScalar(BigInt(next.opening), currency),
    }),
    openedOn: t.field({
      type: 'Date',
      nullable: true,
      description: 'The date of the opening balance. Null if the file has none.',
      resolve: ({ next }) => next.openingOn,
    }),
    difference: t.field({
      type: 'Decimal',
      description: 'The opening balance minus the closing balance.',
      resolve: ({ previous, next, currency }) =>
        toDecimalScalar(BigInt(next.opening) - BigInt(previous.closing), currency),
    }),
    previousStatementId: t.id({
      description: 'The ID of the statement before the gap, `st_…`.',
      resolve: ({ previous }) => previous.statementId,
    }),
    nextStatementId: t.id({
      description: 'The ID of the statement after the gap, `st_…`.',
      resolve: ({ next }) => next.statementId,
    }),
  }),
});

const ReconciliationType = builder.objectRef<Reconciliation>('Reconciliation').implement({
  description:
    'The amounts that your accounts received and paid out in a range of days. Each amount belongs to the day of payment and is classified by its current allocation, so totals of past days can change.',
  fields: (t) => ({
    startDate: t.expose('from', { type: 'Date', description: 'The first day of the range, in `timeZone`.' }),
    endDate: t.expose('to', { type: 'Date', description: 'The last day of the range, in `timeZone`.' }),
    timeZone: t.exposeString('timeZone', {
      description: 'The IANA time zone of the days, which is the one in your settings.',
    }),
    startsAt: t.expose('start', {
      type: 'DateTime',
      description: 'The start of the first day, as a point in time.',
    }),
    endsAt: t.expose('end', {
      type: 'DateTime',
      description: 'The end of the last day, as a point in time.',
    }),
    statementGaps: t.field({
      type: [StatementGapType],
      description:
        'The gaps between imported statements, if the statement after the gap begins in the range of days. Usually, a statement is missing in a gap.',
      resolve: ({ from, to }, _args, context) =>
        findStatementGaps(context.service, { ...getMerchantScope(context), from, to }),
    }),
    lines: t.expose('lines', {
      type: [ReconciliationLineType],
      description:
        'The amounts by account and currency. Accounts and currencies without transfers are omitted.',
    }),
  }),
});

builder.queryField('reconciliation', (t) =>
  t.field({
    type: ReconciliationType,
    nullable: true,
    description:
      'Returns the reconciliation of your accounts for a range of days, including the first and the last day.',
    args: {
      startDate: t.arg({ type: 'Date', required: true, description: 'The first day, in your time zone.' }),
      endDate: t.arg({
        type: 'Date',
        required: true,
        description: 'The last day, in your time zone. It must not be before `startDate`.',
      }),
    },
    resolve: (_root, { startDate, endDate }, context) => {
      const { merchant, mode } = requireMerchantCaller(context);
      return readStale(context, (reads) =>
        reconcile(reads, { merchant, mode, from: startDate, to: endDate }),
      );
    },
  }),
);
