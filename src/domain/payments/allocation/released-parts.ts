import type { Allocation, Charge, Transfer } from '../../../../prisma/client/client.ts';
import type { AllocationReason } from './insert-allocations.ts';
import { getUnallocatedAmount } from './lock-transfer.ts';

/** The reasons for which a charge that ended releases its part payments. */
export const releaseReasons: readonly AllocationReason[] = ['charge_expired', 'charge_cancelled'];

/** Selects what `getReleasedParts` needs. */
export const releasedPartsSelect = {
  orderBy: { id: 'asc' },
  select: {
    amount: true,
    reason: true,
    transferId: true,
    transfer: { select: { amount: true, allocated: true, status: true, direction: true, undoneAt: true } },
  },
} as const;

type ReleasingCharge = Pick<Charge, 'status'> & {
  /** Oldest first. */
  allocations: readonly (Pick<Allocation, 'amount' | 'reason' | 'transferId'> & {
    transfer: Pick<Transfer, 'amount' | 'allocated' | 'status' | 'direction' | 'undoneAt'>;
  })[];
};

/** A part payment in minor units of the charge's currency. */
export type ReleasedPart = { transferId: string; amount: bigint };

/**
 * Returns the part payments that an ended charge released, as far as they are still unallocated. Excludes transfers
 * that were applied to the charge again since, even if a user unassigned them later.
 */
export function getReleasedParts({ status, allocations }: ReleasingCharge): ReleasedPart[] {
  if (status === 'pending') return [];
  const byTransfer = Map.groupBy(allocations, ({ transferId }) => transferId);
  return [...byTransfer].flatMap(([transferId, group]) => {
    const net = group.reduce((sum, { amount }) => sum + amount, 0n);
    const last = group.findLast(({ amount }) => amount < 0n);
    if (net !== 0n || !last || !releaseReasons.includes(last.reason as AllocationReason)) return [];
    const unallocated = last.transfer.status === 'exception' ? getUnallocatedAmount(last.transfer) : 0n;
    const amount = unallocated < -last.amount ? unallocated : -last.amount;
    return amount > 0n ? [{ transferId, amount }] : [];
  });
}

/** Returns the sum of the released part payments in minor units. */
export function getReleasedAmount(charge: ReleasingCharge): bigint {
  return getReleasedParts(charge).reduce((sum, { amount }) => sum + amount, 0n);
}
