import { Alert, List } from '@mantine/core';
import { fillText } from '../../../language/fill-text.ts';
import { formatAmount } from '../../format/amount.ts';
import { formatCount } from '../../format/count.ts';
import { formatCode } from '../../format/labels.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { t } from '../../language/texts.ts';

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

type DiscrepancyRow = ResultOf<typeof discrepancyFields>;

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
            {fillText(t.statement.discrepancyInLine, {
              line: row.line,
              discrepancy: describeDiscrepancy(row),
            })}
          </List.Item>
        ))}
        {count > discrepancies.length && (
          <List.Item>
            {fillText(t.statement.more, { count: formatCount(count - discrepancies.length) })}
          </List.Item>
        )}
      </List>
    </Alert>
  );
}

const totalNames: Partial<Record<DiscrepancyRow['kind'], string>> = {
  closing_balance: t.statement.closingBalance,
  entry_count: t.statement.numberOfEntries,
  credit_count: t.statement.numberOfCredits,
  debit_count: t.statement.numberOfDebits,
  entry_sum: t.statement.sumOfTheEntries,
  credit_sum: t.statement.sumOfTheCredits,
  debit_sum: t.statement.sumOfTheDebits,
  net_sum: t.statement.netSumOfThe,
  control_total: t.statement.controlTotal,
  account_count: t.statement.numberOfAccounts,
  group_count: t.statement.numberOfGroups,
  record_count: t.statement.numberOfRecords,
};

function describeDiscrepancy(row: DiscrepancyRow): string {
  const { difference, currency } = row;
  const text = compareTotals(row);
  return difference === null || currency === null
    ? text
    : `${text} ${fillText(t.statement.difference, { difference: formatAmount(difference, currency) })}`;
}

function compareTotals({ kind, expected, actual, currency }: DiscrepancyRow): string {
  if (kind === 'page_missing') return fillText(t.statement.pageIsMissingIn, { expected });
  if (kind === 'account_mismatch') return fillText(t.statement.theFileIsFor, { actual, expected });
  if (kind === 'currency_mismatch') return fillText(t.statement.theStatementIsIn, { actual, expected });
  const format = (total: string) => (currency === null ? total : formatAmount(total, currency));
  const totals = { actual: format(actual), expected: format(expected) };
  if (kind === 'continuity') return fillText(t.statement.theOpeningBalanceIs, totals);
  if (kind === 'running_balance') return fillText(t.statement.theBankReportsA, totals);
  return fillText(t.statement.figureDiffers, { figure: totalNames[kind] ?? formatCode(kind), ...totals });
}
