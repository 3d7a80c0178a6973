import type { Export } from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';
import { toExportRequest } from '../export/export-request.ts';

/**
 * Of a payout file that nobody will get: its refunds are to be exported still. Those that an earlier file held as well
 * stay marked, as that one may be with the bank.
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
