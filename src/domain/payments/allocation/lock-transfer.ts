import type { Transfer } from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';

/**
 * Locks a transfer until the end of the transaction and returns it. To avoid deadlocks, lock its charges
 * first. Throws `transfer_not_found`.
 */
export async function lockTransfer(tx: Tx, options: ScopedId): Promise<Transfer> {
  const { merchantId, mode, id } = options;
  await tx.$queryRaw`SELECT 1 FROM transfer
    WHERE id = ${id} AND merchant_id = ${merchantId} AND mode = ${mode}::mode FOR UPDATE`;
  const transfer = await tx.transfer.findFirst({ where: { id, merchantId, mode } });
  if (!transfer) throw new DomainError('transfer_not_found', `Transfer not found: ${id}`);
  return transfer;
}

/** Locks transfers in ID order and returns them. To avoid deadlocks, lock their charges first. */
export async function lockTransfers(tx: Tx, ids: readonly string[]): Promise<Transfer[]> {
  if (ids.length === 0) return [];
  await tx.$queryRaw`SELECT 1 FROM transfer WHERE id = ANY(${ids}) ORDER BY id FOR UPDATE`;
  return tx.transfer.findMany({ where: { id: { in: [...ids] } }, orderBy: { id: 'asc' } });
}

/**
 * Returns the unallocated part of an incoming transfer in minor units. Outgoing transfers, duplicates and
 * transfers of an undone statement have none.
 */
export function getUnallocatedAmount(
  transfer: Pick<Transfer, 'amount' | 'allocated' | 'status' | 'direction' | 'undoneAt'>,
): bigint {
  const isMoneyIn =
    transfer.direction === 'credit' && transfer.status !== 'duplicate' && transfer.undoneAt === null;
  return isMoneyIn ? transfer.amount - transfer.allocated : 0n;
}

/** Throws `transfer_already_allocated` unless the transfer is incoming and has the status `exception`. */
export function requireExceptionStatus(transfer: Transfer): void {
  if (transfer.status === 'exception' && transfer.direction === 'credit') return;
  const reason =
    transfer.status === 'exception'
      ? 'is outgoing; only incoming transfers can be assigned or returned'
      : `has the status "${transfer.status}"; only transfers with the status "exception" can be changed`;
  throw new DomainError('transfer_already_allocated', `The transfer ${transfer.id} ${reason}`);
}
