import type { Charge } from '../../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../../event/unit-of-work.ts';
import type { Tx } from '../../../../kit/db.ts';
import { lockTransfers } from '../../../payments/allocation/lock-transfer.ts';
import { transitionTransfer } from '../../../payments/allocation/transition-transfer.ts';
import { getAmountPaid } from '../../../payments/charge/charge-state.ts';

/**
 * Returns the IDs of the completed charges whose payment was undone with its statement and has not been
 * repeated yet. The corrected statement pays them again.
 */
export async function findUndoneCharges(tx: Tx, charges: readonly Charge[]): Promise<Set<string>> {
  const ids = charges
    .filter((charge) => charge.status === 'completed' && getAmountPaid(charge) < charge.customerAmount)
    .map(({ id }) => id);
  if (ids.length === 0) return new Set();
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT DISTINCT a.charge_id AS id FROM allocation a JOIN transfer t ON t.id = a.transfer_id
    WHERE a.charge_id = ANY(${ids}) AND t.undone_at IS NOT NULL`;
  return new Set(rows.map(({ id }) => id));
}

/** Settles the undone transfers of completed charges that have received enough money again. */
export async function settleUndonePayments(
  uow: UnitOfWork,
  chargeIds: readonly string[],
  { actor, now }: { actor: string; now: Date },
): Promise<void> {
  if (chargeIds.length === 0) return;
  const rows = await uow.tx.$queryRaw<{ id: string }[]>`
    SELECT DISTINCT t.id FROM allocation a JOIN transfer t ON t.id = a.transfer_id
    WHERE a.charge_id = ANY(${chargeIds}) AND t.undone_at IS NOT NULL AND t.status = 'exception'
      AND NOT EXISTS (
        -- A transfer may have paid several charges.
        SELECT 1 FROM allocation other JOIN charge c ON c.id = other.charge_id
        WHERE other.transfer_id = t.id AND c.id <> ALL(${chargeIds}) AND c.status = 'completed'
          AND c.amount_received + c.fee_amount < c.customer_amount)`;
  const ids = rows.map(({ id }) => id);
  for (const transfer of await lockTransfers(uow.tx, ids))
    if (transfer.status === 'exception')
      await transitionTransfer(uow, transfer, { to: 'undone', allocations: [], actor, now });
}
