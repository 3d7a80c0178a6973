import { toDecimal } from '../../kit/money.ts';
import type { Reconciliation, ReconciliationLine } from '../reconciliation/reconcile.ts';
import { type Column, column, csvHeader, csvLines, numberColumn } from './csv.ts';

type Row = ReconciliationLine & Pick<Reconciliation, 'from' | 'to' | 'timeZone'>;
type Sum = Extract<
  keyof ReconciliationLine,
  | 'opening'
  | 'received'
  | 'matched'
  | 'partial'
  | 'exceptions'
  | 'returned'
  | 'refunded'
  | 'closing'
  | 'otherOutgoing'
>;

const sum = (name: Sum) =>
  numberColumn<Row>(name, (row) => toDecimal({ minor: row[name], currency: row.currency }));

const columns: readonly Column<Row>[] = [
  column('from', ({ from }) => from),
  column('to', ({ to }) => to),
  column('timeZone', ({ timeZone }) => timeZone),
  column('receivingAccountId', ({ account }) => account.id),
  column('method', ({ account }) => account.method),
  column('account', ({ account }) => account.account),
  column('bank', ({ account }) => account.bank),
  column('holder', ({ account }) => account.holder),
  column('currency', ({ currency }) => currency),
  sum('opening'),
  sum('received'),
  sum('matched'),
  sum('partial'),
  sum('exceptions'),
  sum('returned'),
  sum('refunded'),
  sum('closing'),
  sum('otherOutgoing'),
];

/** The report as CSV, a line an account and currency. */
export function reconciliationFile({ lines, from, to, timeZone }: Reconciliation): string {
  const rows = lines.map((line) => ({ ...line, from, to, timeZone }));
  return csvHeader(columns) + csvLines(columns, rows);
}
