import type { Transfer } from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';
import { newOrderedId } from '../../../kit/id.ts';
import { insertRows } from '../../../kit/insert-rows.ts';

/** The reason for an allocation or its reversal. The values are stored and must not be renamed. */
export type AllocationReason =
  | 'matched'
  | 'assigned'
  | 'shortfall_accepted'
  | 'returned'
  | 'dismissed'
  | 'ignored'
  | 'reversed'
  | 'unassigned'
  | 'charge_expired'
  | 'charge_cancelled'
  | 'payout_returned'
  | 'statement_undone'
  | 'reversal_undone';

export type AllocationInput = {
  transfer: Pick<Transfer, 'id' | 'merchantId' | 'mode'>;
  /** Null if the money is not applied to a charge, such as money that was returned, reversed or dismissed. */
  chargeId: string | null;
  /** The refund of a returned payout. */
  refundId?: string | null | undefined;
  /** In minor units of the transfer; negative if an earlier allocation is reversed. */
  amount: bigint;
  /** The fee that banks deducted from the payment. */
  feeAmount?: bigint | undefined;
  reason: AllocationReason;
  /** The note of the user who decided. */
  note?: string | null | undefined;
  /** The actor and the time of an allocation that is copied from another transfer; by default those of the change. */
  actor?: string;
  createdAt?: Date;
};

/** Inserts allocations. The table is append-only, so reversals are new rows. */
export async function insertAllocations(
  tx: Tx,
  inputs: readonly AllocationInput[],
  { actor, now }: { actor: string; now: Date },
): Promise<void> {
  await insertRows(
    tx,
    'allocation',
    inputs.map(({ transfer, refundId, note, feeAmount, ...fields }) => ({
      id: newOrderedId('allocation', now),
      merchantId: transfer.merchantId,
      mode: transfer.mode,
      transferId: transfer.id,
      actor,
      createdAt: now,
      ...fields,
      refundId: refundId ?? null,
      feeAmount: feeAmount ?? 0n,
      note: note ?? null,
    })),
  );
}
