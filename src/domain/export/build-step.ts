import type { Export } from '../../../prisma/client/client.ts';
import { transact } from '../../event/unit-of-work.ts';
import type { Db } from '../../kit/db.ts';
import type { Secrets } from '../../kit/secrets.ts';
import { writePayouts } from '../payout/write-payouts.ts';
import { reconcile } from '../reconciliation/reconcile.ts';
import { chargeSource } from './charge-source.ts';
import { exportKeptMs } from './create-export.ts';
import { byteOrderMark, csvHeader, csvLines } from './csv.ts';
import { type ExportRequest, requestOf } from './export-request.ts';
import { packChunk } from './pack-chunk.ts';
import { reconciliationFile } from './reconciliation-file.ts';
import { refundSource } from './refund-source.ts';
import type { Source } from './source.ts';
import { transferSource } from './transfer-source.ts';

/** Rows of a page, and so of a chunk: some hundred kilobytes. */
export const pageRows = 1_000;

/** What a step adds to the file. */
type Step = { text: string; rows: number; total: number; lastId: string | null; isLast: boolean };

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
    const [moved] = await tx.export.updateManyAndReturn({
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
              expiresAt: new Date(now.getTime() + exportKeptMs),
            }
          : { leasedUntil }),
      },
    });
    if (moved && bytes.length > 0) {
      const key = { exportId: row.id, position: row.chunkCount };
      await tx.exportChunk.create({ data: packChunk(service.secrets, key, bytes) });
    }
    return moved;
  });
}

async function readStep(service: Db & { secrets: Secrets }, row: Export, now: Date): Promise<Step> {
  const request = requestOf(row);
  const mark = request.withMark && row.format === 'csv' ? byteOrderMark : '';
  switch (request.kind) {
    case 'charges':
      return readPage(service, row, { source: chargeSource, where: request.where, mark });
    case 'refunds':
      return readPage(service, row, { source: refundSource, where: request.where, mark });
    case 'transfers':
      return readPage(service, row, { source: transferSource, where: request.where, mark });
    case 'reconciliation':
      return whole(mark, await writeReconciliation(service, row, request));
    case 'payouts':
      return whole(mark, await writePayouts(service, row, request, now));
  }
}

function whole(mark: string, { text, rows }: { text: string; rows: number }): Step {
  return { text: mark + text, rows, total: rows, lastId: null, isLast: true };
}

async function writeReconciliation(
  db: Db,
  { merchantId, mode }: Export,
  { from, to }: Extract<ExportRequest, { kind: 'reconciliation' }>,
): Promise<{ text: string; rows: number }> {
  const merchant = await db.prisma.merchant.findUniqueOrThrow({ where: { id: merchantId } });
  const report = await reconcile(db, { merchant, mode, from, to });
  return { text: reconciliationFile(report), rows: report.lines.length };
}

/** Newest first, as the lists: what is made meanwhile is newer than the first row, and no page reaches it. */
async function readPage<Row extends { id: string }>(
  db: Db,
  row: Export,
  { source, where, mark }: { source: Source<Row>; where: object; mark: string },
): Promise<Step> {
  const { merchantId, mode, lastId } = row;
  const owned = { AND: [where, { merchantId, mode }] };
  const total = row.total ?? (await source.count(db, owned));
  const rest = lastId === null ? owned : { AND: [owned, { id: { lt: lastId } }] };
  const rows = await source.read(db, rest, pageRows);
  const header = row.chunkCount === 0 ? mark + csvHeader(source.columns) : '';
  return {
    text: header + csvLines(source.columns, rows),
    rows: rows.length,
    total,
    lastId: rows.at(-1)?.id ?? lastId,
    isLast: rows.length < pageRows,
  };
}
