import type { Transfer, TransferStatus } from '../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../event/unit-of-work.ts';
import type { Db } from '../../kit/db.ts';
import { holdReceivingAccount } from '../receiving-account/lock-receiving-account.ts';
import { draftTransfer, type Recording, type TransferInput } from '../transfer/draft-transfer.ts';
import { findKnown } from '../transfer/find-known.ts';
import { findTwins } from '../transfer/find-twins.ts';
import { inTransactions } from '../transfer/in-transactions.ts';
import { noncesOf } from '../transfer/nonces-of.ts';
import { wavesOf } from '../transfer/waves-of.ts';
import type { TransferReason } from './outgoing-reasons.ts';
import { settlePayout } from './settle-payout.ts';

export type OutgoingResult = {
  status: Extract<TransferStatus, 'outgoing' | 'duplicate'>;
  transferId: string;
  /** The refund whose payout it is. */
  refundId?: string;
  /** Why it is none. */
  reason?: TransferReason;
};

/**
 * Records money that went out of an account, as one source tells it, and completes the refunds whose payouts it is, each
 * in one transaction with its transfer. Nothing can be refused; the same again answers `duplicate` and changes nothing.
 * What takes a credit back does not come here. Answers in order.
 */
export async function recordOutgoing(
  db: Db,
  recording: Recording,
  inputs: readonly TransferInput[],
): Promise<OutgoingResult[]> {
  return inTransactions(db, inputs, (uow, some) => recordOutgoingTogether(uow, recording, some));
}

/** A bank may give a payment and its reversal one reference: what goes out is never a repeat of what came. */
function asDebit(input: TransferInput): TransferInput {
  const { content, otherwise } = input;
  return {
    ...input,
    content: `debit ${content}`,
    otherwise: otherwise && { ...otherwise, content: `debit ${otherwise.content}` },
  };
}

/** The same, in the caller's transaction. */
export async function recordOutgoingTogether(
  uow: UnitOfWork,
  recording: Recording,
  inputs: readonly TransferInput[],
): Promise<OutgoingResult[]> {
  await holdReceivingAccount(uow.tx, recording.account);
  const results: OutgoingResult[] = [];
  for (const wave of wavesOf(inputs.map(asDebit))) results.push(...(await recordWave(uow, recording, wave)));
  return results;
}

async function recordWave(
  uow: UnitOfWork,
  recording: Recording,
  inputs: readonly TransferInput[],
): Promise<OutgoingResult[]> {
  const { tx } = uow;
  const { account } = recording;
  const told = await findKnown(tx, account, inputs);
  const fresh = told.flatMap((one) => ('input' in one ? one.input : []));
  const drafts = fresh.map((input) => draftOutgoing(recording, input));
  const twins = await findTwins(tx, drafts, account);
  const rows = drafts.map((draft, i): Transfer => {
    const twin = twins[i];
    if (twin && 'sameAsId' in twin) return { ...draft, status: 'duplicate', sameAsId: twin.sameAsId };
    // Most of what leaves an account is no refund: it is written once, not looked for.
    const isAnyonesGuess = noncesOf(draft).length === 0;
    return { ...draft, reason: twin?.reason ?? (isAnyonesGuess ? 'unknown_payout' : null) };
  });
  await tx.transfer.createMany({ data: rows });
  const recorded: OutgoingResult[] = [];
  for (const row of rows) recorded.push(await settle(uow, row, recording));
  return told.map((one) =>
    'known' in one ? { status: 'duplicate', transferId: one.known.id } : (recorded.shift() as OutgoingResult),
  );
}

function draftOutgoing(recording: Recording, input: TransferInput): Transfer {
  return { ...draftTransfer({ ...recording, input }), direction: 'debit', status: 'outgoing' };
}

async function settle(uow: UnitOfWork, row: Transfer, recording: Recording): Promise<OutgoingResult> {
  if (row.status === 'duplicate') return { status: 'duplicate', transferId: row.id };
  if (row.reason !== null) return outgoing(row, row.reason as TransferReason);
  const settled = await settlePayout(uow, row, recording);
  if ('refundId' in settled) return { status: 'outgoing', transferId: row.id, refundId: settled.refundId };
  // Past `transitionTransfer`: it is being recorded still, nobody has seen it without its reason.
  await uow.tx.transfer.update({ where: { id: row.id }, data: { reason: settled.reason } });
  return outgoing(row, settled.reason);
}

function outgoing(row: Transfer, reason: TransferReason): OutgoingResult {
  return { status: 'outgoing', transferId: row.id, reason };
}
