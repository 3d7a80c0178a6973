import { toDecimal } from '../../kit/money.ts';
import type { Reconciliation, ReconciliationLine } from '../reconciliation/reconcile.ts';
import { type Column, csvHeader, csvLines, ours } from './csv.ts';

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

const sum = (name: Sum) => ours<Row>(name, (row) => toDecimal({ minor: row[name], currency: row.currency }));

const columns: readonly Column<Row>[] = [
  ours('from', ({ from }) => from),
  ours('to', ({ to }) => to),
  ours('timeZone', ({ timeZone }) => timeZone),
  ours('receivingAccountId', ({ account }) => account.id),
  ours('method', ({ account }) => account.method),
  { title: 'account', value: ({ account }) => account.account },
  { title: 'bank', value: ({ account }) => account.bank },
  { title: 'holder', value: ({ account }) => account.holder },
  ours('currency', ({ currency }) => currency),
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
