import { type BookGrouping, type BookTotals, sumBooks } from '../../src/domain/money-in/books/sum-books.ts';
import { builder } from '../kit/builder.ts';
import { requireMerchantCaller } from '../kit/graphql-context.ts';
import { readStale } from '../kit/stale-reader.ts';
import { defineAmountFields } from './amount-fields.ts';

const BookGroupingEnum = builder.enumType('BookGrouping', {
  description: 'The periods into which the totals of the books are divided.',
  values: {
    day: { description: 'There is a total for each day.' },
    month: { description: 'There is a total for each month.' },
    period: { description: 'There is one total for the whole range of days.' },
  } satisfies Record<BookGrouping, object>,
});

type Sum = Exclude<keyof BookTotals, 'startDate' | 'currency' | 'chargeCount'>;

const sums = {
  salesAmount: [
    'sales',
    'The amount that customers paid for completed charges, before the fees that banks deducted.',
  ],
  depositAmount: ['deposits', 'The amount that customers paid for charges that are not fully paid.'],
  refundedAmount: ['refunds', 'The amount of refunds that were paid out, less returned ones.'],
  feeAmount: ['fees', 'The fees that banks deducted from payments or batches.'],
  otherIncomeAmount: ['otherIncome', 'The amount received that is not a customer payment.'],
  unmatchedAmount: ['unmatched', 'The amount received that is not allocated yet.'],
  returnedAmount: [
    'returned',
    'The amount received that was returned to payers or reversed by the bank. It is part of no other amount.',
  ],
  netAmount: [
    'net',
    'The change of `closingBalance` in the reconciliation: `salesAmount` + `depositAmount` + `otherIncomeAmount` + `unmatchedAmount` − `refundedAmount` − `feeAmount`. Other money that left your bank account, such as its monthly fee, is not part of it.',
  ],
} as const satisfies Record<string, readonly [Sum, string]>;

const BookTotalsType = builder.objectRef<BookTotals>('BookTotals').implement({
  description:
    'The totals of one currency in a period. Each amount belongs to the day of payment and is classified by its current allocation, as in the reconciliation.',
  fields: (t) => ({
    startDate: t.expose('startDate', { type: 'Date', description: 'The first day of the period.' }),
    currency: t.expose('currency', { type: 'CurrencyCode', description: 'The currency of the amounts.' }),
    chargeCount: t.exposeInt('chargeCount', { description: 'The number of charges in `salesAmount`.' }),
    ...defineAmountFields(t, sums),
  }),
});

builder.queryField('books', (t) =>
  t.field({
    type: [BookTotalsType],
    nullable: true,
    description:
      'Returns the totals of your books by period and currency, newest first. Periods without payments are omitted.',
    args: {
      startDate: t.arg({ type: 'Date', required: true, description: 'The first day, in your time zone.' }),
      endDate: t.arg({
        type: 'Date',
        required: true,
        description: 'The last day, in your time zone. It must not be before `startDate`.',
      }),
      groupBy: t.arg({
        type: BookGroupingEnum,
        defaultValue: 'month',
        description: 'The periods into which the totals are divided. The default is `month`.',
      }),
    },
    resolve: (_root, { startDate, endDate, groupBy }, context) => {
      const { merchant, mode } = requireMerchantCaller(context);
      const options = { merchant, mode, from: startDate, to: endDate, grouping: groupBy ?? 'month' };
      return readStale(context, (reads) => sumBooks(reads, options));
    },
  }),
);
