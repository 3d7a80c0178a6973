import type { Charge, Transfer } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import type { Tx } from '../../../kit/db.ts';
import { amountOpen, lockTransfers } from '../../payments/allocation/lock-transfer.ts';
import { transitionTransfer } from '../../payments/allocation/transition-transfer.ts';
import { receiveOnCharges } from '../../payments/charge/transition-charge.ts';
import type { Recording } from './draft-transfer.ts';
import { netByCharge } from './where-it-went.ts';

/** A credit and what of it counts for which charge, all under locks. */
type Reversed = { credit: Transfer; counted: { charge: Charge; amount: bigint }[] };

/**
 * All of a credit has gone back to the bank; nothing of it counts for a charge any more. The caller holds the account
 * and has made sure that it is money of its own, not taken back yet.
 */
export async function takeBack(
  uow: UnitOfWork,
  creditId: string,
  { actor, now }: Pick<Recording, 'actor' | 'now'>,
): Promise<void> {
  const reversed = await lockReversed(uow.tx, creditId);
  const { credit, counted } = reversed;
  const receipts = counted.map(({ charge, amount }) => ({ charge, received: -amount, message: null }));
  await receiveOnCharges(uow, receipts, { actor, now });
  const freed = counted.reduce((sum, { amount }) => sum + amount, 0n);
  await transitionTransfer(uow, credit, {
    ...(isCounted(reversed)
      ? { to: 'exception' as const, reason: 'reversed' as const }
      : { to: 'returned' as const }),
    allocations: [
      ...counted.map(({ charge, amount }) => ({
        chargeId: charge.id,
        amount: -amount,
        reason: 'reversed' as const,
      })),
      { chargeId: null, amount: amountOpen(credit) + freed, reason: 'reversed' as const },
    ].filter(({ amount }) => amount !== 0n),
    actor,
    now,
  });
}

/** Nobody decides about the credit, nor about what it counts for, until the transaction ends. */
async function lockReversed(tx: Tx, creditId: string): Promise<Reversed> {
  await lockCounted(tx, creditId);
  const [credit] = await lockTransfers(tx, [creditId]);
  return { credit: credit as Transfer, counted: await lockCounted(tx, creditId) };
}

async function lockCounted(tx: Tx, transferId: string): Promise<Reversed['counted']> {
  const net = await netByCharge(tx, transferId);
  const ids = [...net].flatMap(([id, amount]) => (id !== null && amount > 0n ? [id] : []));
  if (ids.length === 0) return [];
  await tx.$queryRaw`SELECT 1 FROM charge WHERE id = ANY(${ids}) ORDER BY id FOR UPDATE`;
  const charges = await tx.charge.findMany({ where: { id: { in: ids } }, orderBy: { id: 'asc' } });
  return charges.map((charge) => ({ charge, amount: net.get(charge.id) as bigint }));
}

/** For a charge, or as a payout that came back: a refund stays open again, and a person decides. */
function isCounted({ credit, counted }: Reversed): boolean {
  return counted.length > 0 || credit.status === 'matched';
}
