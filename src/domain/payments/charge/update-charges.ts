import type { Charge, ChargeStatus } from '../../../../prisma/client/client.ts';
import type { EventType } from '../../../event/catalog.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import type { Tx } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';

export type ChargeChange = { now: MerchantTime; actor: string; ipAddress?: string | undefined };

/** A charge as the caller read it, with its new status, the amount to add and the events to record. */
export type ChargeUpdate = {
  charge: Charge;
  to: ChargeStatus;
  received?: bigint;
  /** The fee that banks deducted from the payment; negative if the payment is removed again. */
  fee?: bigint | undefined;
  /** Set only when the charge completes. */
  completedBy?: 'transfer' | 'sandbox';
  eventTypes: readonly EventType[];
};

/**
 * Updates statuses, versions and received amounts in one statement. Only for `transitionCharges` and
 * `addReceivedAmounts`; received amounts are also changed by `releaseParts` and `reapplyParts`. Returns
 * the updated charges in the given order. Throws `charge_not_pending` if a status has changed since the
 * caller read the charge.
 */
export async function updateCharges(
  tx: Tx,
  updates: readonly ChargeUpdate[],
  { now }: ChargeChange,
): Promise<Charge[]> {
  if (updates.length === 0) return [];
  const column = <T>(pick: (update: ChargeUpdate) => T): T[] => updates.map(pick);
  const rows = await tx.$queryRaw<{ id: string; version: number; received: bigint; fee: bigint }[]>`
    UPDATE charge SET status = step."to", version = version + step.events, updated_at = ${now},
      amount_received = amount_received + step.received, fee_amount = fee_amount + step.fee,
      completed_at = CASE WHEN step.completed_by IS NULL THEN completed_at ELSE ${now} END,
      completed_by = coalesce(step.completed_by, charge.completed_by)
    FROM unnest(${column(({ charge }) => charge.id)}::text[], ${column(({ charge }) => charge.status)}::charge_status[],
      ${column(({ to }) => to)}::charge_status[], ${column(({ eventTypes }) => eventTypes.length)}::int[],
      ${column(({ received }) => String(received ?? 0n))}::bigint[], ${column(({ fee }) => String(fee ?? 0n))}::bigint[],
      ${column(({ completedBy }) => completedBy ?? null)}::text[]) step (id, "from", "to", events, received, fee, completed_by)
    WHERE charge.id = step.id AND charge.status = step."from"
    RETURNING charge.id, version, amount_received AS received, fee_amount AS fee`;
  const byId = new Map(rows.map((row) => [row.id, row]));
  return updates.map((update) => {
    const row = byId.get(update.charge.id);
    if (!row) throw chargeNotPendingError(update.charge);
    const { completedBy } = update;
    return {
      ...update.charge,
      status: update.to,
      version: row.version,
      amountReceived: row.received,
      feeAmount: row.fee,
      updatedAt: now,
      ...(completedBy && { completedAt: now, completedBy }),
    };
  });
}

export function chargeNotPendingError(charge: Charge): DomainError {
  return new DomainError('charge_not_pending', `The charge ${charge.id} is no longer pending`);
}
