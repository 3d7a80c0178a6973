import type { Transfer } from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';
import { newOrderedId } from '../../../kit/id.ts';
import { insertRows } from '../../../kit/insert-rows.ts';

/** Why money counts, or counts no longer. Stored and stable. */
export type AllocationReason =
  | 'matched'
  | 'assigned'
  | 'shortfall_accepted'
  | 'returned'
  | 'reversed'
  | 'unassigned'
  | 'charge_expired'
  | 'charge_cancelled'
  | 'payout_returned';

export type AllocationInput = {
  transfer: Pick<Transfer, 'id' | 'merchantId' | 'mode'>;
  /** Null: sent back to the payer, or of a refund. */
  chargeId: string | null;
  /** Of a payout that came back: the refund it was for. */
  refundId?: string;
  amount: bigint;
  reason: AllocationReason;
  /** What the person who decided wrote about it. */
  note?: string | null | undefined;
};

/** Append-only rows that say what part of a transfer counts for what. */
export async function insertAllocations(
  tx: Tx,
  inputs: readonly AllocationInput[],
  { actor, now }: { actor: string; now: Date },
): Promise<void> {
  await insertRows(
    tx,
    'allocation',
    inputs.map(({ transfer, note, ...fields }) => ({
      id: newOrderedId('allocation', now),
      merchantId: transfer.merchantId,
      mode: transfer.mode,
      transferId: transfer.id,
      ...fields,
      note: note ?? null,
      actor,
      createdAt: now,
    })),
  );
}
