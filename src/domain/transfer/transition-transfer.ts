import type { Transfer, TransferStatus } from '../../../prisma/client/client.ts';
import { recordEvent } from '../../event/record-event.ts';
import type { Tx } from '../../kit/db.ts';
import { DomainError } from '../../kit/errors.ts';
import { toJsonNumber } from '../../kit/money.ts';
import { type ExceptionReason, transferTransitions } from './transfer-state.ts';

/** The one writer of a recorded transfer's status: compare-and-set, and its event where it becomes an exception. */
export async function transitionTransfer(
  tx: Tx,
  transfer: Transfer,
  to: TransferStatus,
  change: { reason?: ExceptionReason; actor: string; now: Date },
): Promise<Transfer> {
  if (!transferTransitions[transfer.status].includes(to)) throw alreadyAllocated(transfer);
  const [moved] = await tx.transfer.updateManyAndReturn({
    where: { id: transfer.id, status: transfer.status },
    data: { status: to, reason: change.reason ?? null, version: { increment: 1 }, updatedAt: change.now },
  });
  if (!moved) throw alreadyAllocated(transfer);
  if (to === 'exception') await recordTransferException(tx, moved, change);
  return moved;
}

/** Tells the merchant that money came which the service could not assign. */
export async function recordTransferException(
  tx: Tx,
  transfer: Transfer,
  options: { actor: string; now: Date },
): Promise<void> {
  await recordEvent(tx, {
    merchantId: transfer.merchantId,
    mode: transfer.mode,
    message: 'transfer_exception',
    objectId: transfer.id,
    objectVersion: transfer.version,
    payload: transferPayload(transfer),
    ...options,
  });
}

function transferPayload(transfer: Transfer): object {
  return {
    transferId: transfer.id,
    merchantId: transfer.merchantId,
    receivingAccountId: transfer.receivingAccountId,
    amount: toJsonNumber({ minor: transfer.amount, currency: transfer.currency }),
    currency: transfer.currency,
    reference: transfer.reference,
    status: transfer.status,
    ...(transfer.reason !== null && { reason: transfer.reason }),
    paidAt: transfer.paidAt.toISOString(),
  };
}

function alreadyAllocated(transfer: Transfer): DomainError {
  return new DomainError('transfer_already_allocated', `The transfer ${transfer.id} has moved on`);
}
