import type { StatementSpan } from '../../src/domain/money-in/statement/continuity.ts';
import type { Discrepancy } from '../../src/statement/check-control-totals.ts';
import { builder } from '../kit/builder.ts';
import { toDecimalScalar } from '../scalars.ts';

const StatementDiscrepancyKind = builder.enumType('StatementDiscrepancyKind', {
  description: 'The control total or the recorded data that a file does not match. More values may be added.',
  values: {
    closing_balance: {
      description: 'The opening balance and the booked entries do not add up to the closing balance.',
    },
    running_balance: {
      description: 'The balance of a row does not match the previous rows.',
    },
    entry_count: { description: 'The number of entries is not the one that the file states.' },
    credit_count: { description: 'The number of credits is not the one that the file states.' },
    debit_count: { description: 'The number of debits is not the one that the file states.' },
    entry_sum: { description: 'The sum of all entries is not the one that the file states.' },
    credit_sum: { description: 'The sum of the credits is not the one that the file states.' },
    debit_sum: { description: 'The sum of the debits is not the one that the file states.' },
    net_sum: {
      description: 'The sum of the credits minus the sum of the debits is not the one that the file states.',
    },
    control_total: {
      description:
        'The control totals of the accounts or groups do not add up to the one in the trailer of their group or file.',
    },
    account_count: { description: 'The number of accounts is not the one in the trailer of their group.' },
    group_count: { description: 'The number of groups is not the one in the trailer of the file.' },
    record_count: {
      description: 'The number of records is not the one in the trailer of their group or file.',
    },
    page_missing: { description: 'A page of the statement is missing in the file.' },
    account_mismatch: { description: 'The account in the file is not the one of earlier statements.' },
    currency_mismatch: { description: 'The currency of the statement is not that of the receiving account.' },
    continuity: {
      description: 'The opening balance is not the closing balance of the previous statement.',
    },
  } satisfies Record<Discrepancy['kind'], object>,
});

export const StatementDiscrepancy = builder.objectRef<Discrepancy>('StatementDiscrepancy').implement({
  description: 'A difference between a file and its control totals, its account or the earlier statements.',
  fields: (t) => ({
    kind: t.expose('kind', {
      type: StatementDiscrepancyKind,
      description: 'The control total or the recorded data that the file does not match.',
    }),
    line: t.exposeInt('line', {
      description: 'The line in the file on which the statement, the trailer, or the row of a table begins.',
    }),
    expected: t.string({
      description:
        'The value of the bank or of the recorded data: an amount, a number, a page, an account or a currency.',
      resolve: (discrepancy) => toText(discrepancy, discrepancy.expected),
    }),
    actual: t.string({
      description: 'The value that results from the file. Empty for a page that is missing at the end.',
      resolve: (discrepancy) => toText(discrepancy, discrepancy.actual),
    }),
    difference: t.field({
      type: 'Decimal',
      nullable: true,
      description: '`actual` minus `expected`, if both are amounts. Null otherwise.',
      resolve: ({ expected, actual, currency }) =>
        currency === undefined ? null : toDecimalScalar(BigInt(actual) - BigInt(expected), currency),
    }),
    currency: t.expose('currency', {
      type: 'CurrencyCode',
      nullable: true,
      description: 'The currency, if the values are amounts. Null otherwise.',
    }),
  }),
});

function toText({ currency }: Discrepancy, value: string): string {
  return currency === undefined ? value : toDecimalScalar(BigInt(value), currency);
}

export const StatementBalances = builder.objectRef<StatementSpan>('StatementBalances').implement({
  description: 'The opening and the closing balance of an account, as a file reports them.',
  fields: (t) => ({
    account: t.exposeString('accountId', {
      nullable: true,
      description: 'The account, as the bank writes it. Null if the file names none.',
    }),
    currency: t.expose('currency', { type: 'CurrencyCode', description: 'The currency of the balances.' }),
    openingBalance: t.field({
      type: 'Decimal',
      description: 'The balance before the first entry. Negative if the account is overdrawn.',
      resolve: ({ opening, currency }) => toDecimalScalar(BigInt(opening), currency),
    }),
    openedOn: t.field({
      type: 'Date',
      nullable: true,
      description: 'The date of the opening balance. Null if the file has none.',
      resolve: ({ openingOn }) => openingOn,
    }),
    closingBalance: t.field({
      type: 'Decimal',
      description: 'The balance after the last entry. Negative if the account is overdrawn.',
      resolve: ({ closing, currency }) => toDecimalScalar(BigInt(closing), currency),
    }),
    closedOn: t.field({
      type: 'Date',
      nullable: true,
      description: 'The date of the closing balance. Null if the file has none.',
      resolve: ({ closingOn }) => closingOn,
    }),
  }),
});
