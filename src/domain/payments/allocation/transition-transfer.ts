import type { Transfer, TransferStatus } from '../../../../prisma/client/client.ts';
import { announceChange } from '../../../event/announce-change.ts';
import { recordEvents } from '../../../event/record-event.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import { DomainError } from '../../../kit/errors.ts';
import { toJsonNumber } from '../../../kit/money.ts';
import { type AllocationInput, insertAllocations } from './insert-allocations.ts';
import { type ExceptionReason, transferTransitions } from './transfer-state.ts';

export type TransferChange = {
  to: TransferStatus;
  reason?: ExceptionReason;
  /** For `duplicate`: the transfer that this one repeats. */
  duplicateOfId?: string;
  /** For a batch booking that its parts replace: the fee that was deducted from them. */
  feeAmount?: bigint;
  /** For a reversal: the credit that it reverses. */
  reversalOfId?: string;
  /** The changes in allocated amounts; a negative amount reverses an allocation. */
  allocations: readonly Omit<AllocationInput, 'transfer'>[];
  actor: string;
  now: Date;
};

/**
 * Changes the status of a recorded transfer together with its allocations, in the caller's transaction. Throws
 * `transfer_already_allocated` if the status or version has changed since the caller read the transfer. Records
 * an event for a new exception. A database constraint rejects allocations that exceed the amount. No other code
 * writes the status, except `recordOutgoing` in the transaction that inserts the transfer.
 */
export async function transitionTransfer(
  uow: UnitOfWork,
  transfer: Transfer,
  change: TransferChange,
): Promise<Transfer> {
  const { to, now, actor } = change;
  if (to !== transfer.status && !transferTransitions[transfer.status].includes(to))
    throw alreadyAllocatedError(transfer);
  const sum = change.allocations.reduce((total, { amount }) => total + amount, 0n);
  const [updated] = await uow.tx.transfer.updateManyAndReturn({
    where: { id: transfer.id, status: transfer.status, version: transfer.version },
    data: {
      status: to,
      reason: change.reason ?? null,
      ...(change.duplicateOfId && { duplicateOfId: change.duplicateOfId }),
      ...(change.feeAmount !== undefined && { feeAmount: change.feeAmount }),
      ...(change.reversalOfId && { reversalOfId: change.reversalOfId }),
      allocated: { increment: sum },
      version: { increment: 1 },
      updatedAt: now,
    },
  });
  if (!updated) throw alreadyAllocatedError(transfer);
  await insertAllocations(
    uow.tx,
    change.allocations.map((allocation) => ({ ...allocation, transfer: updated })),
    change,
  );
  announceChange(uow, { ...updated, objectId: updated.id });
  if (to === 'exception' && isNewException(transfer, change))
    await recordTransferExceptions(uow, [updated], { actor, now });
  return updated;
}

/**
 * An existing exception is recorded again only if the bank reverses it, because part of it may have been
 * allocated.
 */
function isNewException(transfer: Transfer, { reason }: TransferChange): boolean {
  return transfer.status !== 'exception' || (reason === 'reversed' && transfer.reason !== 'reversed');
}

/** Records `transfer_exception` events for incoming transfers that could not be matched. */
export async function recordTransferExceptions(
  uow: UnitOfWork,
  transfers: readonly Transfer[],
  options: { actor: string; now: Date },
): Promise<void> {
  recordEvents(
    uow,
    transfers.map((transfer) => ({
      merchantId: transfer.merchantId,
      mode: transfer.mode,
      type: 'transfer_exception',
      objectId: transfer.id,
      objectVersion: transfer.version,
      payload: toTransferEventPayload(transfer),
      actor: options.actor,
      now: options.now,
    })),
  );
}

/**
 * Uses the property names of `POST /transfers`: `id` is the ID that the source gave, `transferId` the ID in
 * this service.
 */
function toTransferEventPayload(transfer: Transfer): object {
  return {
    transferId: transfer.id,
    merchantId: transfer.merchantId,
    id: transfer.bankReference,
    receivingAccountId: transfer.receivingAccountId,
    amount: toJsonNumber({ minor: transfer.amount, currency: transfer.currency }),
    currency: transfer.currency,
    reference: transfer.reference,
    ...(transfer.payerName !== null && { payerName: transfer.payerName }),
    status: transfer.status,
    ...(transfer.reason !== null && { reason: transfer.reason }),
    paidAt: transfer.paidAt.toISOString(),
  };
}

function alreadyAllocatedError(transfer: Transfer): DomainError {
  return new DomainError(
    'transfer_already_allocated',
    `The transfer ${transfer.id} was changed concurrently; reload it and try again`,
  );
}
