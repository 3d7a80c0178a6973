import type { Charge, Transfer } from '../../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../../event/unit-of-work.ts';
import type { Tx } from '../../../../kit/db.ts';
import { type BankAccount, lockBankAccount } from '../../../accounts/receiving-account/bank-account.ts';
import { insertAllocations } from '../../../payments/allocation/insert-allocations.ts';
import { lockTransfers } from '../../../payments/allocation/lock-transfer.ts';
import { transitionTransfer, undoTransfers } from '../../../payments/allocation/transition-transfer.ts';
import { addReceivedAmounts } from '../../../payments/charge/transition-charge.ts';
import { cancelUncoveredRefunds } from '../../../payments/refund/cancel-uncovered-refunds.ts';
import type { Service } from '../../../platform/service.ts';
import {
  collectBatchReferences,
  findBatchBookings,
  settleBatchBookings,
} from '../../transfer/record/batch-parts.ts';
import type { RecordContext } from '../../transfer/record/draft-transfer.ts';
import { type NetAllocation, readNetAllocations, restoreReversedCredit, takeOver } from './undo-links.ts';

type UndoContext = Omit<RecordContext, 'relistedLineCheck'>;

/** The transfers of a batch, and the transfers of other statements and sources that refer to them. */
type UndoRows = {
  transfers: Transfer[];
  /** The duplicates of transfers of the batch, and the batch bookings of which these are parts. */
  duplicates: Transfer[];
  /** The reversals of credits of the batch. */
  reversals: Transfer[];
  /** The credits that transfers of the batch reverse. */
  reversedCredits: Transfer[];
};

/**
 * Undoes transfers of one statement in the caller's transaction. Their allocations are reversed, and their
 * bank references can be used again. A completed charge stays completed with a lower received amount, and its
 * transfer becomes the exception `reversed`. A transfer that another source has reported too is replaced by
 * its duplicate, which keeps the allocations.
 */
export async function undoBatch(
  uow: UnitOfWork<Service>,
  context: UndoContext,
  { statementId, ids }: { statementId: string; ids: readonly string[] },
): Promise<void> {
  const { tx } = uow;
  const account = await lockBankAccount(tx, context.account);
  const rows = await lockRows(tx, { statementId, ids, account });
  const { transfers, reversedCredits } = rows;
  let { duplicates } = rows;
  const net = await readNetAllocations(
    tx,
    transfers.map(({ id }) => id),
  );
  const charges = await lockCharges(tx, [...net.values()].flat());
  const remaining: Transfer[] = [];
  const successors = new Map<string, Transfer>();
  for (const transfer of transfers) {
    const own = duplicates.filter(({ duplicateOfId }) => duplicateOfId === transfer.id);
    const successor = own.find(({ amount }) => amount === transfer.amount);
    if (!successor) {
      remaining.push(transfer);
      continue;
    }
    const allocations = net.get(transfer.id) ?? [];
    const updated = await takeOver(uow, { transfer, successor, allocations }, context);
    successors.set(transfer.id, updated);
    duplicates = duplicates.map((row) => (row.id === updated.id ? updated : row));
  }
  // A duplicate that has just taken over from a reversal may reverse a credit without a duplicate.
  const reversals = [...rows.reversals, ...successors.values()];
  await releaseLinks(uow, { transfers: remaining, duplicates, reversals }, context);
  await reverseAllocations(uow, { transfers: remaining, net, charges }, context);
  const undos = remaining.map((transfer) => ({
    transfer,
    needsReview: isReviewNeeded(transfer, net.get(transfer.id) ?? [], charges),
  }));
  await undoTransfers(uow, undos, context);
  await settleBatchBookings(uow, remaining, { ...context, account });
  for (const { reversalOfId } of remaining) {
    if (reversalOfId === null) continue;
    const credit = successors.get(reversalOfId) ?? reversedCredits.find(({ id }) => id === reversalOfId);
    if (credit) await restoreReversedCredit(uow, credit, context);
  }
}

/**
 * Locks the charges of the transfers and of the credits that they reverse, then all transfers. The lock of the account
 * keeps the duplicates and reversals unchanged.
 */
async function lockRows(
  tx: Tx,
  { statementId, ids, account }: { statementId: string; ids: readonly string[]; account: BankAccount },
): Promise<UndoRows> {
  const isOfOther = (row: Transfer) => row.statementId !== statementId && row.undoneAt === null;
  const batchRows = await tx.transfer.findMany({ where: { id: { in: [...ids] } } });
  const bookingIds = (await findBatchBookings(tx, batchRows, account)).map(({ id }) => id);
  const duplicates = await tx.transfer.findMany({
    where: {
      status: 'duplicate',
      OR: [{ duplicateOfId: { in: [...ids] } }, { id: { in: bookingIds } }],
    },
  });
  const reversals = await tx.transfer.findMany({ where: { reversalOfId: { in: [...ids] } } });
  const creditIds = batchRows.flatMap(({ reversalOfId }) => reversalOfId ?? []);
  const credits = await tx.transfer.findMany({ where: { id: { in: creditIds } } });
  const otherRows = [...duplicates, ...reversals, ...credits].filter(isOfOther);
  const allocations = await tx.allocation.findMany({
    where: { transferId: { in: [...ids, ...creditIds] }, chargeId: { not: null } },
    select: { chargeId: true },
    distinct: ['chargeId'],
  });
  const chargeIds = allocations.flatMap(({ chargeId }) => chargeId ?? []);
  await tx.$queryRaw`SELECT 1 FROM charge WHERE id = ANY(${chargeIds}) ORDER BY id FOR UPDATE`;
  const locked = await lockTransfers(tx, [
    ...new Set([...ids, ...bookingIds, ...otherRows.map(({ id }) => id)]),
  ]);
  const pick = (rows: readonly Transfer[]) =>
    locked.filter((row) => isOfOther(row) && rows.some(({ id }) => id === row.id));
  return {
    transfers: locked.filter(({ id }) => ids.includes(id)),
    duplicates: pick(duplicates),
    reversals: pick(reversals),
    reversedCredits: pick(credits),
  };
}

/** Locks the charges with the allocations, which may have changed before the transfers were locked. */
async function lockCharges(tx: Tx, allocations: readonly NetAllocation[]): Promise<Map<string, Charge>> {
  const ids = [...new Set(allocations.flatMap(({ chargeId }) => chargeId ?? []))];
  if (ids.length === 0) return new Map();
  await tx.$queryRaw`SELECT 1 FROM charge WHERE id = ANY(${ids}) ORDER BY id FOR UPDATE`;
  const charges = await tx.charge.findMany({ where: { id: { in: ids } } });
  return new Map(charges.map((charge) => [charge.id, charge]));
}

/**
 * Returns whether a completed charge loses money, or the bank's reversal of the transfer still needs review.
 */
function isReviewNeeded(
  transfer: Transfer,
  allocations: readonly NetAllocation[],
  charges: ReadonlyMap<string, Charge>,
): boolean {
  if (transfer.status === 'exception' && transfer.reason === 'reversed') return true;
  return allocations.some(({ chargeId }) => {
    const charge = chargeId === null ? undefined : charges.get(chargeId);
    return charge?.status === 'completed' && charge.completedBy === 'transfer';
  });
}

/** Removes the references to the transfers: as payout of a refund, as booking of its parts, and as reversed credit. */
async function releaseLinks(
  uow: UnitOfWork<Service>,
  { transfers, duplicates, reversals }: Pick<UndoRows, 'transfers' | 'duplicates' | 'reversals'>,
  { actor, now }: UndoContext,
): Promise<void> {
  const ids = transfers.map(({ id }) => id);
  // The refund stays completed, like one whose payout a user confirmed. The corrected statement's transfer is linked
  // to it.
  await uow.tx.refundPayout.updateMany({ where: { transferId: { in: ids } }, data: { transferId: null } });
  const change = { to: 'exception', allocations: [], actor, now } as const;
  // A part that another source has reported too is still recorded after the undo.
  const references = collectBatchReferences(transfers.filter(({ status }) => status !== 'duplicate'));
  for (const booking of duplicates)
    if (
      booking.status === 'duplicate' &&
      (ids.includes(booking.duplicateOfId ?? '') || references.includes(booking.bankReference))
    )
      await transitionTransfer(uow, booking, {
        ...change,
        reason: 'batch',
        duplicateOfId: null,
        feeAmount: 0n,
      });
  for (const reversal of reversals)
    if (ids.includes(reversal.reversalOfId ?? ''))
      await transitionTransfer(uow, reversal, { ...change, reason: 'unknown_reversal', reversalOfId: null });
}

/** Reverses the allocations, and cancels the refunds that are no longer covered. */
async function reverseAllocations(
  uow: UnitOfWork<Service>,
  options: { transfers: Transfer[]; net: Map<string, NetAllocation[]>; charges: Map<string, Charge> },
  { actor, now }: UndoContext,
): Promise<void> {
  const { transfers, net, charges } = options;
  const allocations = transfers.flatMap((transfer) =>
    (net.get(transfer.id) ?? []).map(({ amount, feeAmount, ...target }) => ({
      transfer,
      ...target,
      amount: -amount,
      feeAmount: -feeAmount,
      reason: 'statement_undone' as const,
    })),
  );
  await insertAllocations(uow.tx, allocations, { actor, now });
  const receipts = [...charges.values()].flatMap((charge) => {
    const ofCharge = allocations.filter(({ chargeId }) => chargeId === charge.id);
    const received = ofCharge.reduce((sum, { amount }) => sum + amount, 0n);
    const fee = ofCharge.reduce((sum, { feeAmount }) => sum + feeAmount, 0n);
    return received === 0n ? [] : { charge, received, fee, eventType: null };
  });
  const updated = await addReceivedAmounts(uow, receipts, { actor, now });
  await cancelUncoveredRefunds(uow, updated, { actor, now });
}
