import type { Charge, Transfer } from '../../../prisma/client/client.ts';
import { type Db, type Tx, transact } from '../../kit/db.ts';
import { receiveOnCharges } from '../charge/transition-charge.ts';
import { draftTransfer, type Recording, type TransferInput } from './draft-transfer.ts';
import { findKnown } from './find-known.ts';
import { findReversed } from './find-reversed.ts';
import { lockAccount } from './lock-account.ts';
import { amountOpen } from './lock-transfer.ts';
import type { TransferResult } from './record-batch.ts';
import { recordTransferExceptions, transitionTransfer } from './transition-transfer.ts';
import { netByCharge } from './where-it-went.ts';

/**
 * The bank takes back a credit of its own: what it counted for, it counts for no longer. A completed charge stays
 * completed and shows that it has received less; the credit becomes the exception `reversed`. One that counted for
 * nothing is simply `returned`. A reversal of a credit that was never told of is the exception `unknown_reversal`. Safe
 * to repeat.
 */
export async function recordReversal(
  db: Db,
  recording: Recording,
  input: TransferInput,
): Promise<TransferResult> {
  return transact(db, async (tx) => {
    await lockAccount(tx, recording.account.id);
    const [told] = await findKnown(tx, recording.account, [input]);
    if (told && 'known' in told) return { status: 'duplicate', transferId: told.known.id };
    const draft = { ...draftTransfer({ ...recording, input }), direction: 'debit' as const };
    const credit = await findReversed(tx, draft, input.reverses);
    if (!credit) {
      const unknown = { ...draft, reason: 'unknown_reversal' };
      await tx.transfer.create({ data: unknown });
      await recordTransferExceptions(tx, [unknown], recording);
      return { status: 'exception', transferId: draft.id, reason: 'unknown_reversal' };
    }
    await takeBack(tx, credit, recording);
    await tx.transfer.create({ data: { ...draft, status: 'outgoing', reversesId: credit.id } });
    return { status: 'outgoing', transferId: draft.id };
  });
}

/** All of the credit has gone back to the bank; nothing of it counts for a charge any more. */
async function takeBack(tx: Tx, credit: Transfer, { actor, now }: Recording): Promise<void> {
  const net = await netByCharge(tx, credit.id);
  const counted = [...net].flatMap(([id, amount]) => (id !== null && amount > 0n ? [{ id, amount }] : []));
  const charges = await lockInOrder(
    tx,
    counted.map(({ id }) => id),
  );
  const receipts = counted.map(({ id, amount }) => ({
    charge: charges.get(id) as Charge,
    received: -amount,
    message: null,
  }));
  await receiveOnCharges(tx, receipts, { actor, now });
  const freed = counted.reduce((sum, { amount }) => sum + amount, 0n);
  await transitionTransfer(tx, credit, {
    ...(counted.length > 0
      ? { to: 'exception' as const, reason: 'reversed' as const }
      : { to: 'returned' as const }),
    allocations: [
      ...counted.map(({ id, amount }) => ({
        chargeId: id,
        amount: -amount,
        reason: 'reversed' as const,
      })),
      { chargeId: null, amount: amountOpen(credit) + freed, reason: 'reversed' as const },
    ].filter(({ amount }) => amount !== 0n),
    actor,
    now,
  });
}

async function lockInOrder(tx: Tx, ids: readonly string[]): Promise<Map<string, Charge>> {
  if (ids.length === 0) return new Map();
  await tx.$queryRaw`SELECT 1 FROM charge WHERE id = ANY(${ids}) ORDER BY id FOR UPDATE`;
  const charges = await tx.charge.findMany({ where: { id: { in: [...ids] } } });
  return new Map(charges.map((charge) => [charge.id, charge]));
}
