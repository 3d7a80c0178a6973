import type { Export, Prisma } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Db, Tx } from '../../../kit/db.ts';
import { isOfRunningMerchant } from '../../../kit/running-merchants.ts';
import { toExportRequest } from './export-request.ts';

/**
 * Deletes exports in the caller's transaction and returns the number of deleted exports. The refunds of a
 * payout file that was never downloaded can be exported again. The refunds of a downloaded file stay marked,
 * because the bank may have the file.
 */
export async function deleteExports(tx: Tx, where: Prisma.ExportWhereInput): Promise<number> {
  const candidates = await tx.export.findMany({ where, select: { id: true } });
  const ids = candidates.map(({ id }) => id);
  // Waits for transactions that build or open one of these exports; later transactions no longer find them.
  await tx.$queryRaw`SELECT 1 FROM export WHERE id = ANY(${ids}::text[]) ORDER BY id FOR UPDATE`;
  const rows = await tx.export.findMany({ where: { id: { in: ids } } });
  for (const row of rows) {
    if (row.kind === 'payouts' && !(await wasDownloaded(tx, row))) await unmarkPayouts(tx, row);
  }
  const { count } = await tx.export.deleteMany({ where: { id: { in: ids } } });
  return count;
}

async function wasDownloaded(tx: Tx, { id: objectId, merchantId }: Export): Promise<boolean> {
  const where = { merchantId, objectId, action: 'export.downloaded' };
  return (await tx.auditEntry.count({ where })) > 0;
}

/**
 * Makes the refunds of a discarded payout file exportable again, except those that are also in an earlier
 * file, and those that the charge's money no longer covers. The former stay marked because the bank may have the
 * earlier file, the latter because they must not be paid.
 */
export async function unmarkPayouts(tx: Tx, row: Pick<Export, 'options' | 'createdAt'>): Promise<void> {
  const request = toExportRequest(row);
  if (request.kind !== 'payouts') return;
  const exportedBefore = new Set(request.exportedBefore);
  const ids = request.refundIds.filter((id) => !exportedBefore.has(id));
  // Waits for a reversal that has lowered the money of a charge, so that the update sees it.
  await tx.$queryRaw`SELECT 1 FROM refund WHERE id = ANY(${ids}::text[]) ORDER BY id FOR UPDATE`;
  await tx.$executeRaw`
    UPDATE refund SET payout_exported_at = NULL
    WHERE id = ANY(${ids}::text[]) AND payout_exported_at = ${row.createdAt} AND NOT EXISTS (
      SELECT 1 FROM charge WHERE charge.id = refund.charge_id AND charge.completed_by = 'transfer'
        AND charge.amount_received < (SELECT sum(other.customer_amount) FROM refund other
          WHERE other.charge_id = charge.id AND other.status <> 'cancelled'))`;
}

/**
 * Deletes expired files one at a time until `signal` aborts. Returns the number of deleted files. Never
 * deletes exports that are not finished.
 */
export async function pruneExports(db: Db, options: { now: Date; signal?: AbortSignal }): Promise<number> {
  const { now, signal } = options;
  for (let count = 0; ; ) {
    const [next] = await db.prisma.$queryRaw<{ id: string }[]>`
      SELECT id FROM export WHERE expires_at <= ${now} AND status IN ('completed', 'failed') AND ${isOfRunningMerchant}
      ORDER BY expires_at LIMIT 1`;
    if (!next || signal?.aborted) return count;
    count += await transact(db, ({ tx }) => deleteExports(tx, { id: next.id }));
  }
}
