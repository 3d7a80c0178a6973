import type { Transfer, TransferStatus } from '../../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../../event/unit-of-work.ts';
import type { Tx } from '../../../../kit/db.ts';
import { type AllocationReason, insertAllocations } from '../../../payments/allocation/insert-allocations.ts';
import type { ExceptionReason } from '../../../payments/allocation/transfer-state.ts';
import { transitionTransfer, undoTransfers } from '../../../payments/allocation/transition-transfer.ts';
import { findRefundsForReturns } from '../../../payments/refund/find-returned-payout.ts';
import type { Service } from '../../../platform/service.ts';
import { applyToCharges } from '../../transfer/matching/apply-to-charges.ts';
import { getSettledStatus } from '../../transfer/net-allocations.ts';
import type { RecordContext } from '../../transfer/record/draft-transfer.ts';

/**
 * The allocated amount of a transfer for one charge or one refund. Without either, the money is not applied,
 * such as money that was returned to the payer.
 */
export type NetAllocation = {
  chargeId: string | null;
  refundId?: string;
  amount: bigint;
  /** The fee that banks deducted from the payment. */
  feeAmount: bigint;
};

export async function readNetAllocations(
  tx: Tx,
  transferIds: string[],
): Promise<Map<string, NetAllocation[]>> {
  const sums = await tx.allocation.groupBy({
    by: ['transferId', 'chargeId', 'refundId'],
    where: { transferId: { in: transferIds } },
    _sum: { amount: true, feeAmount: true },
  });
  const byTransfer = new Map<string, NetAllocation[]>();
  for (const { transferId, chargeId, refundId, _sum } of sums) {
    const amount = _sum.amount ?? 0n;
    if (amount === 0n) continue;
    const feeAmount = _sum.feeAmount ?? 0n;
    const allocation = { chargeId, ...(refundId !== null && { refundId }), amount, feeAmount };
    byTransfer.set(transferId, [...(byTransfer.get(transferId) ?? []), allocation]);
  }
  return byTransfer;
}

/**
 * Replaces a transfer by its duplicate of another source, with its status, payouts, reversal and the charge that it
 * names. Copies all of its allocations, even those that were reversed, because later operations depend on their
 * reasons. Amounts received do not change. Returns the duplicate. The caller must have locked the account, the charges
 * and both transfers.
 */
export async function takeOver(
  uow: UnitOfWork,
  options: { transfer: Transfer; successor: Transfer; allocations: readonly NetAllocation[] },
  { actor, now }: { actor: string; now: Date },
): Promise<Transfer> {
  const { transfer, successor, allocations } = options;
  const { tx } = uow;
  const { id } = transfer;
  // Another duplicate may have just replaced the transfer to which this one is linked.
  const current = await tx.transfer.findUniqueOrThrow({
    where: { id },
    include: { allocations: { orderBy: { id: 'asc' } } },
  });
  const reversed = allocations.map(({ amount, feeAmount, ...target }) => ({
    transfer,
    ...target,
    amount: -amount,
    feeAmount: -feeAmount,
    reason: 'statement_undone' as const,
  }));
  await insertAllocations(tx, reversed, { actor, now });
  await undoTransfers(uow, [{ transfer, needsReview: false }], { actor, now });
  await tx.transfer.updateMany({
    where: { duplicateOfId: id, id: { not: successor.id } },
    data: { duplicateOfId: successor.id },
  });
  await tx.transfer.updateMany({ where: { reversalOfId: id }, data: { reversalOfId: successor.id } });
  await tx.refundPayout.updateMany({ where: { transferId: id }, data: { transferId: successor.id } });
  await tx.refundPayout.updateMany({
    where: { returnedTransferId: id },
    data: { returnedTransferId: successor.id },
  });
  const { status, reason, duplicateOfId, reversalOfId, namedChargeId, feeAmount } = current;
  return transitionTransfer(uow, successor, {
    to: status,
    ...(reason !== null && { reason: reason as ExceptionReason }),
    duplicateOfId,
    reversalOfId,
    namedChargeId,
    feeAmount,
    allocations: current.allocations.map((row) => ({
      chargeId: row.chargeId,
      refundId: row.refundId,
      amount: row.amount,
      feeAmount: row.feeAmount,
      reason: row.reason as AllocationReason,
      note: row.note,
      actor: row.actor,
      createdAt: row.createdAt,
    })),
    actor,
    now,
  });
}

/**
 * Applies a credit again to the charges and the refund to which it was applied before the bank's reversal, which was
 * undone. Money of charges that have ended since is left unallocated. The caller must have locked the account, the
 * charges and the credit.
 */
export async function restoreReversedCredit(
  uow: UnitOfWork<Service>,
  credit: Transfer,
  { merchant, account, actor, now, systemNow }: Omit<RecordContext, 'relistedLineCheck'>,
): Promise<void> {
  const { tx } = uow;
  const sums = await tx.allocation.groupBy({
    by: ['chargeId', 'refundId'],
    where: { transferId: credit.id, reason: { in: ['reversed', 'reversal_undone'] } },
    _sum: { amount: true, feeAmount: true },
  });
  const ofNone = sums.find(({ chargeId, refundId }) => chargeId === null && refundId === null);
  const freed = ofNone?._sum.amount ?? 0n;
  const refunds = sums.flatMap(({ refundId, _sum }) => {
    const amount = -(_sum.amount ?? 0n);
    return refundId !== null && amount > 0n ? [{ refundId, amount }] : [];
  });
  const ofCharges = new Map(
    sums.flatMap(({ chargeId, _sum }) => (chargeId === null ? [] : [[chargeId, _sum]])),
  );
  const charges = await tx.charge.findMany({
    where: {
      id: { in: [...ofCharges.keys()] },
      status: { in: ['pending', 'completed'] },
    },
    orderBy: { id: 'asc' },
  });
  const payments = charges.flatMap((charge) => {
    const sum = ofCharges.get(charge.id);
    const amount = -(sum?.amount ?? 0n);
    return amount > 0n ? { charge, amount, fee: -(sum?.feeAmount ?? 0n) } : [];
  });
  const applied = await applyToCharges(uow, payments, {
    tolerance: merchant.underpaymentTolerance,
    feeRule: account,
    actor,
    now,
    systemNow,
  });
  const appliedAmount = [...payments, ...refunds].reduce((sum, { amount }) => sum + amount, 0n);
  const ids = payments.map(({ charge }) => charge.id);
  const isSettled = credit.allocated - freed + appliedAmount === credit.amount;
  await transitionTransfer(uow, credit, {
    ...(isSettled
      ? { to: refunds.length > 0 ? 'matched' : await getRestoredStatus(tx, credit, ids) }
      : { to: 'exception', reason: await getRestoredReason(tx, credit) }),
    allocations: [
      { chargeId: null, amount: -freed, reason: 'reversal_undone' as const },
      ...refunds.map((refund) => ({ ...refund, chargeId: null, reason: 'reversal_undone' as const })),
      ...payments.map(({ charge, amount }) => ({
        chargeId: charge.id,
        amount,
        feeAmount: applied.get(charge.id)?.fee,
        reason: 'reversal_undone' as const,
      })),
    ].filter(({ amount }) => amount !== 0n),
    actor,
    now,
  });
}

/** Returns the status of a fully allocated credit. Without charges, it was dismissed or returned to the payer. */
async function getRestoredStatus(
  tx: Tx,
  credit: Transfer,
  chargeIds: readonly string[],
): Promise<TransferStatus> {
  const status = await getSettledStatus(tx, credit, chargeIds);
  if (status !== 'returned') return status;
  const decision = await tx.allocation.findFirst({
    where: { transferId: credit.id, chargeId: null, refundId: null, amount: { gt: 0n } },
    orderBy: { id: 'desc' },
  });
  return decision?.reason === 'dismissed' || decision?.reason === 'ignored' ? 'dismissed' : 'returned';
}

/** Returns the reason for the review of a credit. The refund of a returned payout can then be reopened. */
async function getRestoredReason(tx: Tx, credit: Transfer): Promise<ExceptionReason> {
  const returned = { ...credit, status: 'exception', reason: 'returned_payment' } as const;
  return (await findRefundsForReturns(tx, [returned])).has(credit.id) ? returned.reason : 'unassigned';
}
