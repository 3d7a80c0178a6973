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
  /** Of a duplicate: the transfer that is the money. */
  sameAsId?: string;
  /** Of a reversal: the credit that it takes back. */
  reversesId?: string;
  /** What of it counts from now on for what; below zero takes back. */
  allocations: readonly Omit<AllocationInput, 'transfer'>[];
  actor: string;
  now: Date;
};

/**
 * The one writer of where a recorded transfer stands: compare-and-set on what the caller read, with the allocations that
 * are the reason of the change, and its event where it becomes an exception, or is taken back as one. The database
 * refuses to count more than came. Only `recordOutgoing` writes past it, in the transaction that records its transfer.
 */
export async function transitionTransfer(
  uow: UnitOfWork,
  transfer: Transfer,
  change: TransferChange,
): Promise<Transfer> {
  const { to, now, actor } = change;
  if (to !== transfer.status && !transferTransitions[transfer.status].includes(to))
    throw alreadyAllocated(transfer);
  const sum = change.allocations.reduce((total, { amount }) => total + amount, 0n);
  const [updated] = await uow.tx.transfer.updateManyAndReturn({
    where: { id: transfer.id, status: transfer.status, version: transfer.version },
    data: {
      status: to,
      reason: change.reason ?? null,
      ...(change.sameAsId && { sameAsId: change.sameAsId }),
      ...(change.reversesId && { reversesId: change.reversesId }),
      allocated: { increment: sum },
      version: { increment: 1 },
      updatedAt: now,
    },
  });
  if (!updated) throw alreadyAllocated(transfer);
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

/** What waits already is told again only when the bank takes it back: a part of it may have counted. */
function isNewException(transfer: Transfer, { reason }: TransferChange): boolean {
  return transfer.status !== 'exception' || (reason === 'reversed' && transfer.reason !== 'reversed');
}

/** Tells the merchant of money that came which the service could not assign. */
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
      message: 'transfer_exception',
      objectId: transfer.id,
      objectVersion: transfer.version,
      payload: toTransferEventPayload(transfer),
      actor: options.actor,
      now: options.now,
    })),
  );
}

/** As `POST /transfers` is told of it and answers: `id` is the source's own, `transferId` ours. */
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

function alreadyAllocated(transfer: Transfer): DomainError {
  return new DomainError(
    'transfer_already_allocated',
    `The transfer ${transfer.id} was changed concurrently; reload it and try again`,
  );
}
