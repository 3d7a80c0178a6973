import type { Charge, Transfer } from '../../../prisma/client/client.ts';
import type { Tx } from '../../kit/db.ts';
import { transitionTransfer } from './transition-transfer.ts';

/** The part payments that a charge let go of when it expired, and that nobody has assigned or returned since. */
export async function findOrphanedParts(tx: Tx, charge: Charge): Promise<Transfer[]> {
  return tx.transfer.findMany({
    where: {
      status: 'exception',
      reason: 'charge_expired',
      allocated: 0n,
      allocations: { some: { chargeId: charge.id } },
    },
    orderBy: { id: 'asc' },
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
