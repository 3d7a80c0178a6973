import type { Transfer, TransferStatus } from '../../../../prisma/client/client.ts';
import { announceChange } from '../../../event/announce-change.ts';
import { recordEvents } from '../../../event/record-event.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import { DomainError } from '../../../kit/errors.ts';
import { toJsonNumber } from '../../../kit/money.ts';
import { getBankReference } from './bank-reference.ts';
import { type AllocationInput, insertAllocations } from './insert-allocations.ts';
import { type ExceptionReason, transferTransitions } from './transfer-state.ts';

type TransferChange = {
  to: TransferStatus;
  /** For an exception, or for an outgoing transfer that is no duplicate. */
  reason?: ExceptionReason | 'unknown_payout';
  /** For `duplicate`: the transfer that this one repeats. Null if it no longer repeats one. */
  duplicateOfId?: string | null;
  /** For a batch booking that its parts replace: the fee that was deducted from them. */
  feeAmount?: bigint;
  /** For a reversal: the credit that it reverses. Null if that credit was undone. */
  reversalOfId?: string | null;
  /** For a duplicate that replaces an undone transfer: the charge that this one names. */
  namedChargeId?: string | null;
  /** The changes in allocated amounts; a negative amount reverses an allocation. */
  allocations: readonly Omit<AllocationInput, 'transfer'>[];
  actor: string;
  now: Date;
};

/**
 * Changes the status of a recorded transfer together with its allocations, in the caller's transaction.
 * Records an event for a new exception. Throws `transfer_already_allocated` if the transition is not allowed,
 * or if the status or version has changed since the caller read the transfer. A database constraint rejects
 * allocations that exceed the amount. No other code changes the status, except `undoTransfers`.
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
      ...(change.duplicateOfId !== undefined && { duplicateOfId: change.duplicateOfId }),
      ...(change.feeAmount !== undefined && { feeAmount: change.feeAmount }),
      ...(change.reversalOfId !== undefined && { reversalOfId: change.reversalOfId }),
      ...(change.namedChargeId !== undefined && { namedChargeId: change.namedChargeId }),
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
  await announceCharges(uow, updated);
  if (to === 'exception' && isNewException(transfer, change))
    await recordTransferExceptions(uow, [updated], { actor, now });
  return updated;
}

/**
 * Announces the charges whose open pages show money of the transfer: those to which it is or was applied, the ended
 * charge that it names, and the charges that replaced these.
 */
async function announceCharges(
  uow: UnitOfWork,
  { id, namedChargeId, merchantId, mode }: Transfer,
): Promise<void> {
  const charges = await uow.tx.$queryRaw<{ id: string }[]>`
    WITH RECURSIVE affected (id) AS (
      SELECT charge_id FROM allocation WHERE transfer_id = ${id} AND charge_id IS NOT NULL
      UNION SELECT ${namedChargeId}::text WHERE ${namedChargeId}::text IS NOT NULL
      UNION SELECT charge.id FROM charge JOIN affected ON charge.replaces_id = affected.id)
    SELECT id FROM affected`;
  for (const { id: objectId } of charges) announceChange(uow, { objectId, merchantId, mode });
}

/**
 * Marks distinct transfers of an undone statement as undone, in the caller's transaction and a fixed number
 * of statements. Clears their allocated amounts, so the caller must have reversed their allocations. A
 * transfer that needs review becomes the exception `reversed`. Throws `transfer_already_allocated` if a
 * transfer is already undone, or its version has changed since the caller read it.
 */
export async function undoTransfers(
  uow: UnitOfWork,
  undos: readonly { transfer: Transfer; needsReview: boolean }[],
  { actor, now }: { actor: string; now: Date },
): Promise<void> {
  const rows = await uow.tx.$queryRaw<{ id: string }[]>`
    UPDATE transfer SET status = (CASE WHEN undo.review THEN 'exception' ELSE 'undone' END)::transfer_status,
      reason = CASE WHEN undo.review THEN 'reversed' END, undone_at = ${now}, allocated = 0, fee_amount = 0, reversal_of_id = NULL,
      version = transfer.version + 1, updated_at = ${now}
    FROM unnest(${undos.map(({ transfer }) => transfer.id)}::text[],
      ${undos.map(({ transfer }) => transfer.version)}::int[],
      ${undos.map(({ needsReview }) => needsReview)}::boolean[]) AS undo (id, version, review)
    WHERE transfer.id = undo.id AND transfer.version = undo.version AND transfer.undone_at IS NULL
    RETURNING transfer.id`;
  const updatedIds = new Set(rows.map(({ id }) => id));
  for (const { transfer } of undos) {
    if (!updatedIds.has(transfer.id)) throw alreadyAllocatedError(transfer);
    announceChange(uow, { ...transfer, objectId: transfer.id });
  }
  const exceptions = undos.flatMap(({ transfer, needsReview }) => {
    const change = {
      ...transfer,
      status: 'exception',
      reason: 'reversed',
      version: transfer.version + 1,
    } as const;
    return needsReview && isNewException(transfer, change) ? change : [];
  });
  await recordTransferExceptions(uow, exceptions, { actor, now });
}

/**
 * Returns whether the merchant must be notified. An exception that the bank reverses is reported again,
 * because part of it may have been allocated.
 */
function isNewException(transfer: Transfer, { reason }: { reason?: string }): boolean {
  return transfer.status !== 'exception' || (reason === 'reversed' && transfer.reason !== 'reversed');
}

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

function toTransferEventPayload(transfer: Transfer): object {
  const bankReference = getBankReference(transfer);
  return {
    id: transfer.id,
    merchantId: transfer.merchantId,
    ...(bankReference !== null && { bankReference }),
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
