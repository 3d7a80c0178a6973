import type { Transfer, TransferStatus } from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';
import { getAmountPaid } from '../../payments/charge/charge-state.ts';

/**
 * Returns the net allocated amount by charge. The key null has the amount that is applied to no charge, such
 * as money that was returned to the payer. Excludes the allocations of refunds.
 */
export async function getNetByCharge(tx: Tx, transferId: string): Promise<Map<string | null, bigint>> {
  const sums = await tx.allocation.groupBy({
    by: ['chargeId'],
    where: { transferId, refundId: null },
    _sum: { amount: true },
  });
  return new Map(sums.map(({ chargeId, _sum }) => [chargeId, _sum.amount ?? 0n]));
}

/** Returns the net amount of a returned payout, by the refund that was reopened. */
export async function getNetByRefund(tx: Tx, transferId: string): Promise<Map<string, bigint>> {
  const sums = await tx.allocation.groupBy({
    by: ['refundId'],
    where: { transferId, refundId: { not: null } },
    _sum: { amount: true },
  });
  return new Map(sums.map(({ refundId, _sum }) => [refundId as string, _sum.amount ?? 0n]));
}

/** Returns the net fee that banks deducted from the payment, by charge. */
export async function getFeeByCharge(tx: Tx, transferId: string): Promise<Map<string, bigint>> {
  const sums = await tx.allocation.groupBy({
    by: ['chargeId'],
    where: { transferId, chargeId: { not: null }, feeAmount: { not: 0n } },
    _sum: { feeAmount: true },
  });
  return new Map(sums.map(({ chargeId, _sum }) => [chargeId as string, _sum.feeAmount ?? 0n]));
}

/**
 * Returns the status of a fully allocated transfer, which depends on the charges it is allocated to,
 * including `chargeIds`. Returns `returned` if there are none.
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
  return charges.some((charge) => getAmountPaid(charge) > charge.customerAmount) ? 'over' : 'matched';
}
