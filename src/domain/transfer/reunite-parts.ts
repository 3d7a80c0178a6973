import type { Charge, Transfer } from '../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../event/unit-of-work.ts';
import type { Tx } from '../../kit/db.ts';
import { amountOpen, lockTransfers } from './lock-transfer.ts';
import { stillOpen } from './transfer-state.ts';
import { transitionTransfer } from './transition-transfer.ts';
import { settledStatus } from './where-it-went.ts';

/** How much of a transfer had counted for a charge that expired. */
export type OrphanedPart = { transfer: Transfer; amount: bigint };

const letGo = { status: 'exception', reason: 'charge_expired' } as const;

/**
 * The part payments that a charge let go of when it expired, and that nobody has assigned or returned since; under
 * locks. What else a transfer holds was never this charge's.
 */
export async function lockOrphanedParts(tx: Tx, charge: Charge): Promise<OrphanedPart[]> {
  const parts = await tx.transfer.findMany({
    where: { ...letGo, allocations: { some: { chargeId: charge.id, reason: letGo.reason } } },
    select: { id: true },
  });
  const locked = await lockTransfers(
    tx,
    parts.map(({ id }) => id),
  );
  const waiting = locked.filter(({ status, reason }) => status === letGo.status && reason === letGo.reason);
  const amounts = await readLetGo(tx, charge, waiting);
  return waiting.flatMap((transfer) => {
    const amount = amounts.get(transfer.id) ?? 0n;
    return amount > 0n && amount <= amountOpen(transfer) ? [{ transfer, amount }] : [];
  });
}

async function readLetGo(tx: Tx, charge: Charge, transfers: Transfer[]): Promise<Map<string, bigint>> {
  if (transfers.length === 0) return new Map();
  const rows = await tx.$queryRaw<{ id: string; amount: string }[]>`
    SELECT gone.transfer_id AS id, (-sum(gone.amount))::text AS amount FROM allocation gone
    WHERE gone.transfer_id = ANY(${transfers.map(({ id }) => id)}) AND gone.charge_id = ${charge.id}
      AND gone.reason = ${letGo.reason} AND NOT EXISTS (
        SELECT 1 FROM allocation since WHERE since.transfer_id = gone.transfer_id AND since.id > gone.id
          AND since.reason IN ('assigned', 'shortfall_accepted', 'returned'))
    GROUP BY gone.transfer_id`;
  return new Map(rows.map(({ id, amount }) => [id, BigInt(amount)]));
}

/**
 * Counts them for the charge again: a transfer that was learned of late has made them enough. All were paid in time, or
 * they would not have counted before. Answers the charge with what it has received.
 */
export async function reuniteParts(
  uow: UnitOfWork,
  charge: Charge,
  options: { parts: OrphanedPart[]; actor: string; now: Date },
): Promise<Charge> {
  const { parts, actor, now } = options;
  for (const { transfer, amount } of parts) {
    const isAll = amount === amountOpen(transfer);
    await transitionTransfer(uow, transfer, {
      ...(isAll ? { to: await statusWithOthers(uow.tx, transfer) } : stillOpen(transfer)),
      allocations: [{ chargeId: charge.id, amount, reason: 'matched' }],
      actor,
      now,
    });
  }
  const sum = parts.reduce((total, { amount }) => total + amount, 0n);
  return uow.tx.charge.update({ where: { id: charge.id }, data: { amountReceived: { increment: sum } } });
}

/** This charge completes; the status is that of the other charges the transfer counts for, if there are any. */
async function statusWithOthers(tx: Tx, transfer: Transfer): Promise<'matched' | 'partial' | 'over'> {
  const status = await settledStatus(tx, transfer);
  return status === 'partial' || status === 'over' ? status : 'matched';
}
