import type { Charge, Transfer } from '../../../prisma/client/client.ts';
import { type Db, type Tx, transact } from '../../kit/db.ts';
import { receiveOnCharges } from '../charge/transition-charge.ts';
import { holdReceivingAccount } from '../receiving-account/lock-receiving-account.ts';
import { draftTransfer, type Recording, type TransferInput } from './draft-transfer.ts';
import { findKnown } from './find-known.ts';
import { findReversed } from './find-reversed.ts';
import { amountOpen, lockTransfers } from './lock-transfer.ts';
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
    await holdReceivingAccount(tx, recording.account.id);
    const [told] = await findKnown(tx, recording.account, [input]);
    if (told && 'known' in told) return { status: 'duplicate', transferId: told.known.id };
    const draft = { ...draftTransfer({ ...recording, input }), direction: 'debit' as const };
    const reversed = await lockReversed(tx, draft, input.reverses);
    if (!reversed) {
      const unknown = { ...draft, reason: 'unknown_reversal' };
      await tx.transfer.create({ data: unknown });
      await recordTransferExceptions(tx, [unknown], recording);
      return { status: 'exception', transferId: draft.id, reason: 'unknown_reversal' };
    }
    await takeBack(tx, reversed, recording);
    await tx.transfer.create({ data: { ...draft, status: 'outgoing', reversesId: reversed.credit.id } });
    return { status: 'outgoing', transferId: draft.id };
  });
}

/** A credit and what of it counts for which charge, all under locks. */
type Reversed = { credit: Transfer; counted: { charge: Charge; amount: bigint }[] };

/**
 * Nobody decides about the credit, nor about what it counts for, until the transaction ends. It may have been said to be
 * the same as another while its lock was waited for: then that other is looked for.
 */
async function lockReversed(
  tx: Tx,
  reversal: Transfer,
  reference: string | undefined,
): Promise<Reversed | null> {
  const found = await findReversed(tx, reversal, reference);
  if (!found) return null;
  await lockCounted(tx, found.id);
  const [credit] = await lockTransfers(tx, [found.id]);
  if (!credit || credit.status === 'duplicate') return lockReversed(tx, reversal, reference);
  return { credit, counted: await lockCounted(tx, credit.id) };
}

async function lockCounted(tx: Tx, transferId: string): Promise<Reversed['counted']> {
  const net = await netByCharge(tx, transferId);
  const ids = [...net].flatMap(([id, amount]) => (id !== null && amount > 0n ? [id] : []));
  if (ids.length === 0) return [];
  await tx.$queryRaw`SELECT 1 FROM charge WHERE id = ANY(${ids}) ORDER BY id FOR UPDATE`;
  const charges = await tx.charge.findMany({ where: { id: { in: ids } }, orderBy: { id: 'asc' } });
  return charges.map((charge) => ({ charge, amount: net.get(charge.id) as bigint }));
}

/** All of the credit has gone back to the bank; nothing of it counts for a charge any more. */
async function takeBack(tx: Tx, reversed: Reversed, { actor, now }: Recording): Promise<void> {
  const { credit, counted } = reversed;
  const receipts = counted.map(({ charge, amount }) => ({ charge, received: -amount, message: null }));
  await receiveOnCharges(tx, receipts, { actor, now });
  const freed = counted.reduce((sum, { amount }) => sum + amount, 0n);
  await transitionTransfer(tx, credit, {
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

/** For a charge, or as a payout that came back: a refund stays open again, and a person decides. */
function isCounted({ credit, counted }: Reversed): boolean {
  return counted.length > 0 || credit.status === 'matched';
}
