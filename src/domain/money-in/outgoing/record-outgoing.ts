import type { Refund, Transfer, TransferStatus } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import type { Db, Tx } from '../../../kit/db.ts';
import { holdReceivingAccount } from '../../accounts/receiving-account/lock-receiving-account.ts';
import { noncesOf } from '../../payments/allocation/nonces-of.ts';
import { lockRefund } from '../../payments/refund/lock-refund.ts';
import { transitionRefund } from '../../payments/refund/transition-refund.ts';
import { draftTransfer, type Recording, type TransferInput } from '../transfer/draft-transfer.ts';
import { findKnown } from '../transfer/find-known.ts';
import { findTwins } from '../transfer/find-twins.ts';
import { inTransactions } from '../transfer/in-transactions.ts';
import { wavesOf } from '../transfer/waves-of.ts';
import type { OutgoingReason, TransferReason } from './outgoing-reasons.ts';

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
  const reported = await findKnown(tx, account, inputs);
  const fresh = reported.flatMap((one) => ('input' in one ? one.input : []));
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
  const recorded = new Map<TransferInput, OutgoingResult>();
  for (const [i, row] of rows.entries()) recorded.set(fresh[i]!, await settle(uow, row, recording));
  return reported.map((one) =>
    'known' in one ? { status: 'duplicate', transferId: one.known.id } : recorded.get(one.input)!,
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

type Settlement = { refundId: string } | { reason: OutgoingReason };

/**
 * Completes the refund whose payout an outgoing transfer is: its reference carries the refund's word, amount and
 * currency are equal. A refund that was confirmed by hand before has this line put to its payout, and is not completed
 * again. Else the reason why it is no payout. The transfer's row is there; the refund's charge is locked meanwhile.
 */
async function settlePayout(
  uow: UnitOfWork,
  transfer: Transfer,
  { actor, now }: { actor: string; now: Date },
): Promise<Settlement> {
  const { tx } = uow;
  const named = await findNamed(tx, transfer);
  if ('reason' in named) return named;
  const owner = { merchantId: transfer.merchantId, mode: transfer.mode };
  const { refund, charge } = await lockRefund(tx, { ...owner, id: named.refund.id });
  const isCurrent = noncesOf(transfer).includes(refund.payoutReference);
  if (!isCurrent) return { reason: 'payout_superseded' };
  if (transfer.amount !== refund.customerAmount || transfer.currency !== refund.customerCurrency) {
    return { reason: 'payout_amount_differs' };
  }
  if (refund.status === 'processing') {
    await transitionRefund(uow, { refund, charge }, 'completed', { actor, now, payout: transfer });
    return { refundId: refund.id };
  }
  return refund.status === 'completed'
    ? putToPayout(tx, refund, transfer)
    : { reason: 'payout_not_expected' };
}

/** The one refund whose word, of today or of before, stands in the reference. */
async function findNamed(
  tx: Tx,
  transfer: Transfer,
): Promise<{ refund: Pick<Refund, 'id'> } | { reason: OutgoingReason }> {
  const words = noncesOf(transfer);
  if (words.length === 0) return { reason: 'unknown_payout' };
  const { merchantId, mode } = transfer;
  const select = { id: true };
  const current = await tx.refund.findMany({
    where: { merchantId, mode, payoutReference: { in: words } },
    select,
  });
  const refunds =
    current.length > 0
      ? current
      : await tx.$queryRaw<{ id: string }[]>`SELECT id FROM refund WHERE merchant_id = ${merchantId}
          AND mode = ${mode}::mode AND past_references && ${words} AND past_references <> '{}'`;
  if (refunds.length > 1) return { reason: 'several_refunds' };
  return refunds[0] ? { refund: refunds[0] } : { reason: 'unknown_payout' };
}

/** The bank's line of a payout that a person had confirmed; with another line there already it is a second payment. */
async function putToPayout(tx: Tx, refund: Refund, transfer: Transfer): Promise<Settlement> {
  const { count } = await tx.refundPayout.updateMany({
    where: { refundId: refund.id, transferId: null, returnedTransferId: null },
    data: {
      transferId: transfer.id,
      receivingAccountId: transfer.receivingAccountId,
      paidAt: transfer.paidAt,
    },
  });
  return count === 1 ? { refundId: refund.id } : { reason: 'payout_repeated' };
}
