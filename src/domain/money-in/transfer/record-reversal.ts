import { transact, type UnitOfWork } from '../../../event/unit-of-work.ts';
import type { Db } from '../../../kit/db.ts';
import { holdReceivingAccount } from '../../accounts/receiving-account/lock-receiving-account.ts';
import { recordTransferExceptions } from '../../payments/allocation/transition-transfer.ts';
import { draftTransfer, type Recording, type TransferInput } from './draft-transfer.ts';
import { findKnown } from './find-known.ts';
import { findReversed } from './find-reversed.ts';
import type { TransferResult } from './record-batch.ts';
import { takeBack } from './take-back.ts';

/**
 * The bank takes back a credit of its own: what it counted for, it counts for no longer. A completed charge stays
 * completed and shows that it has received less; the credit becomes the exception `reversed`. One that counted for
 * nothing is simply `returned`. What another source has told of takes nothing back again: it is a `duplicate`, or the
 * exception `possible_duplicate` where nobody can tell. A reversal of a credit that was never told of is the exception
 * `unknown_reversal`, until that is told of. Safe to repeat.
 */
export async function recordReversal(
  db: Db,
  recording: Recording,
  input: TransferInput,
): Promise<TransferResult> {
  return transact(db, (uow) => recordReversalTogether(uow, recording, input));
}

/** The same, in the caller's transaction. */
export async function recordReversalTogether(
  uow: UnitOfWork,
  recording: Recording,
  input: TransferInput,
): Promise<TransferResult> {
  const { tx } = uow;
  const { account } = recording;
  await holdReceivingAccount(tx, account);
  const [told] = await findKnown(tx, account, [input]);
  if (told && 'known' in told) return { status: 'duplicate', transferId: told.known.id };
  // A bank may use the reference of a reversal again too: then it is one under a reference of its own.
  const drafted = draftTransfer({ ...recording, input: told?.input ?? input });
  const draft = { ...drafted, direction: 'debit' as const };
  const found = await findReversed(tx, draft, { account, reference: input.reverses });
  if ('sameAsId' in found) {
    await tx.transfer.create({ data: { ...draft, status: 'duplicate', sameAsId: found.sameAsId } });
    return { status: 'duplicate', transferId: draft.id };
  }
  if ('reason' in found) {
    const unknown = { ...draft, reason: found.reason };
    await tx.transfer.create({ data: unknown });
    await recordTransferExceptions(uow, [unknown], recording);
    return { status: 'exception', transferId: draft.id, reason: found.reason };
  }
  await takeBack(uow, found.creditId, recording);
  await tx.transfer.create({ data: { ...draft, status: 'outgoing', reversesId: found.creditId } });
  return { status: 'outgoing', transferId: draft.id };
}
