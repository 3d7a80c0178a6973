import type { Export, Prisma } from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';
import { unmarkPayouts } from './unmark-payouts.ts';

/**
 * Deletes exports in the caller's transaction and returns the number of deleted exports. The refunds of a
 * payout file that was never downloaded can be exported again. The refunds of a downloaded file stay marked,
 * because the bank may have the file.
 */
export async function deleteExports(tx: Tx, where: Prisma.ExportWhereInput): Promise<number> {
  const candidates = await tx.export.findMany({ where, select: { id: true } });
  const ids = candidates.map(({ id }) => id);
  // Waits for transactions that build or open one of these exports; later transactions no longer find it.
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
