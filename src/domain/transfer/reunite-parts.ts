import type { Charge, Transfer } from '../../../prisma/client/client.ts';
import type { Tx } from '../../kit/db.ts';
import { lockTransfers } from './lock-transfer.ts';
import { transitionTransfer } from './transition-transfer.ts';

const letGo = { status: 'exception', reason: 'charge_expired', allocated: 0n } as const;

/**
 * The part payments that a charge let go of when it expired, and that nobody has assigned or returned since; under
 * locks.
 */
export async function lockOrphanedParts(tx: Tx, charge: Charge): Promise<Transfer[]> {
  const parts = await tx.transfer.findMany({
    where: { ...letGo, allocations: { some: { chargeId: charge.id } } },
    select: { id: true },
  });
  const locked = await lockTransfers(
    tx,
    parts.map(({ id }) => id),
  );
  return locked.filter(({ status, reason, allocated }) => {
    return status === letGo.status && reason === letGo.reason && allocated === letGo.allocated;
  });
}

/**
 * Counts them for the charge again: a transfer that was learned of late has made them enough. All were paid in time, or
 * they would not have counted before. Answers the charge with what it has received.
 */
export async function reuniteParts(
  tx: Tx,
  charge: Charge,
  options: { parts: Transfer[]; actor: string; now: Date },
): Promise<Charge> {
  const { parts, actor, now } = options;
  for (const part of parts) {
    const allocations = [{ chargeId: charge.id, amount: part.amount, reason: 'matched' as const }];
    await transitionTransfer(tx, part, { to: 'matched', allocations, actor, now });
  }
  const sum = parts.reduce((total, part) => total + part.amount, 0n);
  return tx.charge.update({ where: { id: charge.id }, data: { amountReceived: { increment: sum } } });
}
