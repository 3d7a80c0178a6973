import { Alert, List } from '@mantine/core';
import { formatAmount } from '../../format/amount.ts';
import { formatCount } from '../../format/count.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';

export const discrepancyFields = graphql(`
  fragment DiscrepancyFields on StatementDiscrepancy {
    kind
    line
    expected
    actual
    difference
    currency
  }
`);

export type DiscrepancyRow = ResultOf<typeof discrepancyFields>;

/** Lists the control figures that a file does not match. */
export function DiscrepancyList(props: {
  discrepancies: readonly DiscrepancyRow[];
  /** The number of all discrepancies, because the list contains only the first ones. */
  count: number;
  title: string;
}) {
  const { discrepancies, count, title } = props;
  if (count === 0) return null;
  return (
    <Alert color="amber" variant="light" role="alert" title={title} mb="lg">
      <List size="sm">
        {discrepancies.map((row) => (
          <List.Item key={`${row.kind} ${row.line} ${row.actual}`}>
            Line {row.line}: {describeDiscrepancy(row)}
          </List.Item>
        ))}
        {count > discrepancies.length && (
          <List.Item>{formatCount(count - discrepancies.length)} more</List.Item>
        )}
      </List>
    </Alert>
  );
}

const figureNames: Partial<Record<DiscrepancyRow['kind'], string>> = {
  closing_balance: 'closing balance',
  running_balance: 'balance',
  entry_count: 'number of entries',
  credit_count: 'number of credits',
  debit_count: 'number of debits',
  entry_sum: 'sum of the entries',
  credit_sum: 'sum of the credits',
  debit_sum: 'sum of the debits',
  net_sum: 'net sum of the entries',
  control_total: 'control total',
  account_count: 'number of accounts',
  group_count: 'number of groups',
  record_count: 'number of records',
};

function describeDiscrepancy(row: DiscrepancyRow): string {
  const { kind, expected, actual, difference, currency } = row;
  const format = (figure: string) => (currency === null ? figure : formatAmount(figure, currency));
  const suffix =
    difference === null || currency === null ? '' : ` (difference ${formatAmount(difference, currency)})`;
  if (kind === 'page_missing') return `page ${expected} is missing in the file.`;
  if (kind === 'account_mismatch') return `the file is for the account ${actual}, not for ${expected}.`;
  if (kind === 'currency_mismatch') return `the statement is in ${actual}, not in ${expected}.`;
  if (kind === 'continuity')
    return `the opening balance is ${format(actual)}, but the previous statement ends with ${format(expected)}${suffix}.`;
  if (kind === 'running_balance')
    return `the bank reports a balance of ${format(actual)}, but the rows add up to ${format(expected)}${suffix}.`;
  const name = figureNames[kind] ?? kind.replaceAll('_', ' ');
  return `the bank reports a ${name} of ${format(expected)}, but the file has ${format(actual)}${suffix}.`;
}
