import type { Transfer, TransferStatus } from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';

/** What of a transfer counts for each charge, after corrections; null: what was sent back. */
export async function getNetByCharge(tx: Tx, transferId: string): Promise<Map<string | null, bigint>> {
  const sums = await tx.allocation.groupBy({
    by: ['chargeId'],
    where: { transferId, refundId: null },
    _sum: { amount: true },
  });
  return new Map(sums.map(({ chargeId, _sum }) => [chargeId, _sum.amount ?? 0n]));
}

/**
 * The status of a transfer none of which is open any more: by the charges it counts for (those it counted for before
 * and those it is about to), or `returned` where there is none.
 */
export async function getSettledStatus(
  tx: Tx,
  transfer: Transfer,
  chargeIds: readonly string[] = [],
): Promise<TransferStatus> {
  const net = await getNetByCharge(tx, transfer.id);
  const allocatedIds = [...net].flatMap(([id, amount]) => (id !== null && amount > 0n ? id : []));
  const charges = await tx.charge.findMany({ where: { id: { in: [...allocatedIds, ...chargeIds] } } });
  if (charges.length === 0) return 'returned';
  if (charges.some(({ status }) => status !== 'completed')) return 'partial';
  return charges.some((charge) => charge.amountReceived > charge.customerAmount) ? 'over' : 'matched';
}
