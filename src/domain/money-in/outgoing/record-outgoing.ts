import type { Refund, Transfer, TransferStatus } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import type { Db, Tx } from '../../../kit/db.ts';
import { lockReceivingAccountRow } from '../../accounts/receiving-account/lock-receiving-account.ts';
import { getPaymentReferences } from '../../payments/allocation/get-payment-references.ts';
import { lockRefund } from '../../payments/refund/lock-refund.ts';
import { transitionRefund } from '../../payments/refund/transition-refund.ts';
import { checkRepeats } from '../transfer/check-repeats.ts';
import { draftTransfer, type RecordContext, type TransferInput } from '../transfer/draft-transfer.ts';
import { findDuplicates } from '../transfer/find-duplicates.ts';
import { recordInBatches } from '../transfer/record-in-batches.ts';
import { splitIndependent } from '../transfer/split-independent.ts';
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
  context: RecordContext,
  inputs: readonly TransferInput[],
): Promise<OutgoingResult[]> {
  return recordInBatches(db, inputs, (uow, batch) => recordOutgoingInTx(uow, context, batch));
}

/** A bank may give a payment and its reversal one reference: what goes out is never a repeat of what came. */
function toDebitInput(input: TransferInput): TransferInput {
  const { content, alternative } = input;
  return {
    ...input,
    content: `debit ${content}`,
    alternative: alternative && { ...alternative, content: `debit ${alternative.content}` },
  };
}

/** The same, in the caller's transaction. */
export async function recordOutgoingInTx(
  uow: UnitOfWork,
  context: RecordContext,
  inputs: readonly TransferInput[],
): Promise<OutgoingResult[]> {
  await lockReceivingAccountRow(uow.tx, context.account);
  const results: OutgoingResult[] = [];
  for (const group of splitIndependent(inputs.map(toDebitInput)))
    results.push(...(await recordGroup(uow, context, group)));
  return results;
}

async function recordGroup(
  uow: UnitOfWork,
  context: RecordContext,
  inputs: readonly TransferInput[],
): Promise<OutgoingResult[]> {
  const { tx } = uow;
  const { account } = context;
  const checks = await checkRepeats(tx, account, inputs);
  const newInputs = checks.flatMap((one) => ('input' in one ? one.input : []));
  const drafts = newInputs.map((input) => draftOutgoing(context, input));
  const duplicates = await findDuplicates(tx, drafts, account);
  const rows = drafts.map((draft, i): Transfer => {
    const duplicate = duplicates[i];
    if (duplicate && 'sameAsId' in duplicate)
      return { ...draft, status: 'duplicate', sameAsId: duplicate.sameAsId };
    // Most of what leaves an account is no refund: it is written once, not looked for.
    const hasNoReference = getPaymentReferences(draft).length === 0;
    return { ...draft, reason: duplicate?.reason ?? (hasNoReference ? 'unknown_payout' : null) };
  });
  await tx.transfer.createMany({ data: rows });
  const results = new Map<TransferInput, OutgoingResult>();
  for (const [i, row] of rows.entries()) results.set(newInputs[i]!, await settleTransfer(uow, row, context));
  return checks.map((one) =>
    'recorded' in one ? { status: 'duplicate', transferId: one.recorded.id } : results.get(one.input)!,
  );
}

function draftOutgoing(context: RecordContext, input: TransferInput): Transfer {
  return { ...draftTransfer({ ...context, input }), direction: 'debit', status: 'outgoing' };
}

async function settleTransfer(
  uow: UnitOfWork,
  row: Transfer,
  context: RecordContext,
): Promise<OutgoingResult> {
  if (row.status === 'duplicate') return { status: 'duplicate', transferId: row.id };
  if (row.reason !== null) return toOutgoingResult(row, row.reason as TransferReason);
  const settlement = await settlePayout(uow, row, context);
  if ('refundId' in settlement)
    return { status: 'outgoing', transferId: row.id, refundId: settlement.refundId };
  // Past `transitionTransfer`: it is being recorded still, nobody has seen it without its reason.
  await uow.tx.transfer.update({ where: { id: row.id }, data: { reason: settlement.reason } });
  return toOutgoingResult(row, settlement.reason);
}

function toOutgoingResult(row: Transfer, reason: TransferReason): OutgoingResult {
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
  const match = await findReferencedRefund(tx, transfer);
  if ('reason' in match) return match;
  const owner = { merchantId: transfer.merchantId, mode: transfer.mode };
  const { refund, charge } = await lockRefund(tx, { ...owner, id: match.refund.id });
  const isCurrent = getPaymentReferences(transfer).includes(refund.payoutReference);
  if (!isCurrent) return { reason: 'payout_superseded' };
  if (transfer.amount !== refund.customerAmount || transfer.currency !== refund.customerCurrency) {
    return { reason: 'payout_amount_differs' };
  }
  if (refund.status === 'processing') {
    await transitionRefund(uow, { refund, charge }, 'completed', { actor, now, payout: transfer });
    return { refundId: refund.id };
  }
  return refund.status === 'completed'
    ? linkToPayout(tx, refund, transfer)
    : { reason: 'payout_not_expected' };
}

/** The one refund whose word, of today or of before, stands in the reference. */
async function findReferencedRefund(
  tx: Tx,
  transfer: Transfer,
): Promise<{ refund: Pick<Refund, 'id'> } | { reason: OutgoingReason }> {
  const paymentReferences = getPaymentReferences(transfer);
  if (paymentReferences.length === 0) return { reason: 'unknown_payout' };
  const { merchantId, mode } = transfer;
  const select = { id: true };
  const current = await tx.refund.findMany({
    where: { merchantId, mode, payoutReference: { in: paymentReferences } },
    select,
  });
  const refunds =
    current.length > 0
      ? current
      : await tx.$queryRaw<{ id: string }[]>`SELECT id FROM refund WHERE merchant_id = ${merchantId}
          AND mode = ${mode}::mode AND past_references && ${paymentReferences} AND past_references <> '{}'`;
  if (refunds.length > 1) return { reason: 'several_refunds' };
  return refunds[0] ? { refund: refunds[0] } : { reason: 'unknown_payout' };
}

/** The bank's line of a payout that a person had confirmed; with another line there already it is a second payment. */
async function linkToPayout(tx: Tx, refund: Refund, transfer: Transfer): Promise<Settlement> {
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
