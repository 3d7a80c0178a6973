import type { Export } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Clock } from '../../../kit/clock.ts';
import type { Db } from '../../../kit/db.ts';
import { minuteMs } from '../../../kit/duration.ts';
import { DomainError } from '../../../kit/errors.ts';
import { toDecimal } from '../../../kit/money.ts';
import type { Secrets } from '../../../kit/secrets.ts';
import {
  type Reconciliation,
  type ReconciliationLine,
  reconcile,
} from '../../money-in/reconciliation/reconcile.ts';
import { unmarkPayouts } from '../payout/unmark-payouts.ts';
import { writePayouts } from '../payout/write-payouts.ts';
import { chargeSource } from './charge-source.ts';
import { exportRetentionMs } from './create-export.ts';
import { byteOrderMark, type CsvColumn, column, csvHeader, csvLines, numberColumn } from './csv.ts';
import { type ExportRequest, toExportRequest } from './export-request.ts';
import type { ExportSource } from './export-source.ts';
import { packChunk } from './pack-chunk.ts';
import { refundSource } from './refund-source.ts';
import { transferSource } from './transfer-source.ts';

/** Who makes a file has it to itself for so long after each page; then another worker takes it on. */
const leaseMs = minuteMs;
/** Then it is the turn of the file of which least is made: nobody waits for somebody else's million. */
const pagesPerClaim = 20;

/**
 * Makes the files that were asked for, page by page, each page in a transaction of its own with where to go on: a
 * worker that is killed loses nothing but its page. Ends at the signal; the next run, here or elsewhere, goes on.
 * Answers how many turns it took.
 */
export async function buildExports(
  service: Db & { secrets: Secrets },
  options: { clock: Clock; signal?: AbortSignal; pagesPerClaim?: number },
): Promise<number> {
  const { clock, signal } = options;
  for (let claims = 0; ; claims++) {
    const row = signal?.aborted ? undefined : await claimExport(service, clock.now());
    if (!row) return claims;
    await buildExport(service, row, { pagesPerClaim, ...options });
  }
}

/** Of those that nobody is making, the one of which least is made; the oldest of these. */
async function claimExport(db: Db, now: Date): Promise<Export | undefined> {
  return transact(db, async ({ tx }) => {
    const [next] = await tx.$queryRaw<{ id: string }[]>`
      SELECT id FROM export WHERE status = 'queued' OR (status = 'running' AND leased_until < ${now})
      ORDER BY rows, id LIMIT 1 FOR UPDATE SKIP LOCKED`;
    if (!next) return undefined;
    return tx.export.update({
      where: { id: next.id },
      data: { status: 'running', leasedUntil: new Date(now.getTime() + leaseMs) },
    });
  });
}

async function buildExport(
  service: Db & { secrets: Secrets },
  row: Export,
  options: { clock: Clock; signal?: AbortSignal; pagesPerClaim: number },
): Promise<void> {
  const { clock, signal } = options;
  let current = row;
  try {
    for (let pages = 0; current.status === 'running'; pages++) {
      if (signal?.aborted || pages === options.pagesPerClaim)
        return await releaseExport(service, current, clock.now());
      const now = clock.now();
      const leasedUntil = new Date(now.getTime() + leaseMs);
      const next = await buildStep(service, current, { leasedUntil, now });
      // Somebody else has it: the lease ran out meanwhile.
      if (!next) return;
      current = next;
    }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    await failExport(service, current, { reason: error.message, now: clock.now() });
  }
}

/** Whoever goes on need not wait for the lease to end. */
async function releaseExport(db: Db, { id, chunkCount }: Export, now: Date): Promise<void> {
  await db.prisma.export.updateMany({
    where: { id, chunkCount, status: 'running' },
    data: { leasedUntil: new Date(now.getTime() - 1) },
  });
}

/** Refunds that stand in no file after all are to be exported still. */
async function failExport(
  db: Db,
  row: Export,
  { reason, now }: { reason: string; now: Date },
): Promise<void> {
  const { id, chunkCount } = row;
  await transact(db, async ({ tx }) => {
    const { count } = await tx.export.updateMany({
      where: { id, chunkCount, status: 'running' },
      data: { status: 'failed', errorReason: reason, leasedUntil: null, finishedAt: now },
    });
    if (count > 0) await unmarkPayouts(tx, row);
  });
}

/** Rows of a page, and so of a chunk: some hundred kilobytes. */
export const pageRows = 1_000;

/** What a step adds to the file. */
type ExportStep = { text: string; rows: number; total: number; lastId: string | null; isLast: boolean };

/**
 * Reads the next page and writes it as a chunk, with where to go on, in one transaction: only while nobody else has
 * written that chunk (then undefined).
 */
export async function buildStep(
  service: Db & { secrets: Secrets },
  row: Export,
  { leasedUntil, now }: { leasedUntil: Date; now: Date },
): Promise<Export | undefined> {
  const step = await readStep(service, row, now);
  const bytes = Buffer.from(step.text, 'utf8');
  return transact(service, async ({ tx }) => {
    const [updated] = await tx.export.updateManyAndReturn({
      where: { id: row.id, status: 'running', chunkCount: row.chunkCount },
      data: {
        chunkCount: { increment: bytes.length > 0 ? 1 : 0 },
        size: { increment: bytes.length },
        rows: { increment: step.rows },
        total: step.total,
        lastId: step.lastId,
        ...(step.isLast
          ? {
              status: 'done',
              leasedUntil: null,
              finishedAt: now,
              expiresAt: new Date(now.getTime() + exportRetentionMs),
            }
          : { leasedUntil }),
      },
    });
    if (updated && bytes.length > 0) {
      const key = { exportId: row.id, position: row.chunkCount };
      await tx.exportChunk.create({ data: packChunk(service.secrets, key, bytes) });
    }
    return updated;
  });
}

async function readStep(service: Db & { secrets: Secrets }, row: Export, now: Date): Promise<ExportStep> {
  const request = toExportRequest(row);
  const bom = request.withMark && row.format === 'csv' ? byteOrderMark : '';
  switch (request.kind) {
    case 'charges':
      return readPage(service, row, { source: chargeSource, where: request.where, bom });
    case 'refunds':
      return readPage(service, row, { source: refundSource, where: request.where, bom });
    case 'transfers':
      return readPage(service, row, { source: transferSource, where: request.where, bom });
    case 'reconciliation':
      return toSingleStep(bom, await writeReconciliation(service, row, request));
    case 'payouts':
      return toSingleStep(bom, await writePayouts(service, row, request, now));
  }
}

function toSingleStep(bom: string, { text, rows }: { text: string; rows: number }): ExportStep {
  return { text: bom + text, rows, total: rows, lastId: null, isLast: true };
}

async function writeReconciliation(
  db: Db,
  { merchantId, mode }: Export,
  { from, to }: Extract<ExportRequest, { kind: 'reconciliation' }>,
): Promise<{ text: string; rows: number }> {
  const merchant = await db.prisma.merchant.findUniqueOrThrow({ where: { id: merchantId } });
  const report = await reconcile(db, { merchant, mode, from, to });
  return { text: formatReconciliation(report), rows: report.lines.length };
}

/** Newest first, as the lists: what is made meanwhile is newer than the first row, and no page reaches it. */
async function readPage<Row extends { id: string }>(
  db: Db,
  row: Export,
  { source, where, bom }: { source: ExportSource<Row>; where: object; bom: string },
): Promise<ExportStep> {
  const { merchantId, mode, lastId } = row;
  const ownedWhere = { AND: [where, { merchantId, mode }] };
  const total = row.total ?? (await source.count(db, ownedWhere));
  const pageWhere = lastId === null ? ownedWhere : { AND: [ownedWhere, { id: { lt: lastId } }] };
  const rows = await source.read(db, pageWhere, pageRows);
  const header = row.chunkCount === 0 ? bom + csvHeader(source.columns) : '';
  return {
    text: header + csvLines(source.columns, rows),
    rows: rows.length,
    total,
    lastId: rows.at(-1)?.id ?? lastId,
    isLast: rows.length < pageRows,
  };
}

type ReconciliationRow = ReconciliationLine & Pick<Reconciliation, 'from' | 'to' | 'timeZone'>;
type SumName = Extract<
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

const sumColumn = (name: SumName) =>
  numberColumn<ReconciliationRow>(name, (row) => toDecimal({ minor: row[name], currency: row.currency }));

const columns: readonly CsvColumn<ReconciliationRow>[] = [
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
  sumColumn('closing'),
  sumColumn('otherOutgoing'),
];

/** The report as CSV, a line an account and currency. */
function formatReconciliation({ lines, from, to, timeZone }: Reconciliation): string {
  const rows = lines.map((line) => ({ ...line, from, to, timeZone }));
  return csvHeader(columns) + csvLines(columns, rows);
}
