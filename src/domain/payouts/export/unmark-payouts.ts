import type { Export } from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';
import { toExportRequest } from './export-request.ts';

/**
 * Makes the refunds of a discarded payout file exportable again, except those that are also in an earlier
 * file. They stay marked, because the bank may have the earlier file.
 */
export async function unmarkPayouts(tx: Tx, row: Pick<Export, 'options' | 'createdAt'>): Promise<void> {
  const request = toExportRequest(row);
  if (request.kind !== 'payouts') return;
  const exportedBefore = new Set(request.exportedBefore);
  await tx.refund.updateMany({
    where: {
      id: { in: request.refundIds.filter((id) => !exportedBefore.has(id)) },
      payoutExportedAt: row.createdAt,
    },
    data: { payoutExportedAt: null },
  });
}
