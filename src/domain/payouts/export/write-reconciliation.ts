import type { Export } from '../../../../prisma/client/client.ts';
import { type CsvColumn, column, formatHeader, formatLines, numberColumn } from '../../../kit/csv.ts';
import { toDecimal } from '../../../kit/money.ts';
import type { StaleReads } from '../../../kit/stale-reads.ts';
import {
  type Reconciliation,
  type ReconciliationLine,
  type ReconciliationSum,
  reconcile,
} from '../../money-in/reconciliation/reconcile.ts';
import type { ExportRequest } from './export-request.ts';

export async function writeReconciliation(
  reads: StaleReads,
  { merchantId, mode }: Export,
  { from, to }: Extract<ExportRequest, { kind: 'reconciliation' }>,
): Promise<{ text: string; rows: number }> {
  const merchant = await reads.stale.merchant.findUniqueOrThrow({ where: { id: merchantId } });
  const report = await reconcile(reads, { merchant, mode, from, to });
  return { text: formatReconciliation(report), rows: report.lines.length };
}

type ReconciliationRow = ReconciliationLine & Pick<Reconciliation, 'from' | 'to' | 'timeZone'>;

const sumColumn = (name: ReconciliationSum) =>
  numberColumn<ReconciliationRow>(name, (row) => toDecimal({ minor: row[name], currency: row.currency }));

const reconciliationColumns: readonly CsvColumn<ReconciliationRow>[] = [
  column('from', ({ from }) => from),
  column('to', ({ to }) => to),
  column('timeZone', ({ timeZone }) => timeZone),
  column('receivingAccountId', ({ account }) => account.id),
  column('method', ({ account }) => account.method),
  column('account', ({ account }) => account.account),
  column('bank', ({ account }) => account.bank),
  column('holder', ({ account }) => account.holder),
  column('currency', ({ currency }) => currency),
  sumColumn('opening'),
  sumColumn('received'),
  sumColumn('matched'),
  sumColumn('partial'),
  sumColumn('exceptions'),
  sumColumn('returned'),
  sumColumn('refunded'),
  sumColumn('fees'),
  sumColumn('closing'),
  sumColumn('otherOutgoingAmount'),
  sumColumn('possibleDuplicates'),
  sumColumn('otherIncoming'),
];

/** Formats the report as CSV, with one line per account and currency. */
function formatReconciliation({ lines, from, to, timeZone }: Reconciliation): string {
  const rows = lines.map((line) => ({ ...line, from, to, timeZone }));
  return formatHeader(reconciliationColumns) + formatLines(reconciliationColumns, rows);
}
