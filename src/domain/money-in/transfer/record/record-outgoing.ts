import type { Refund, Transfer, TransferStatus } from '../../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../../event/unit-of-work.ts';
import type { Tx } from '../../../../kit/db.ts';
import type { MessageService } from '../../../../message/enqueue-message.ts';
import { lockBankAccount } from '../../../accounts/receiving-account/bank-account.ts';
import { getPaymentReferences } from '../../../payments/allocation/get-payment-references.ts';
import { type ExceptionReason, exceptionReasons } from '../../../payments/allocation/transfer-state.ts';
import { lockRefund } from '../../../payments/refund/lock-refund.ts';
import { transitionRefund } from '../../../payments/refund/transition-refund.ts';
import { checkRepeats } from '../duplicates/check-repeats.ts';
import { findDuplicates } from '../duplicates/find-duplicates.ts';
import {
  draftTransfer,
  type LockedContext,
  type RecordContext,
  type TransferInput,
} from './draft-transfer.ts';
import { splitIndependent } from './split-independent.ts';

export type OutgoingResult = {
  status: Extract<TransferStatus, 'outgoing' | 'duplicate'>;
  transferId: string;
  /** The refund that the transfer pays out. */
  refundId?: string;
  /** The reason why the transfer pays out no refund. */
  reason?: TransferReason;
};

/**
 * Records the outgoing transfers that one source reports for one account, and completes the refunds that they
 * pay out. Callers must not pass reversals of credits. No input is rejected; a repeat has the status
 * `duplicate` and changes nothing.
 */
export async function recordOutgoing(
  uow: UnitOfWork<MessageService>,
  context: RecordContext,
  inputs: readonly TransferInput[],
): Promise<ReadonlyMap<TransferInput, OutgoingResult>> {
  if (inputs.length === 0) return new Map();
  const locked = { ...context, account: await lockBankAccount(uow.tx, context.account) };
  const debits = new Map(inputs.map((input) => [toDebitInput(input), input]));
  const results = new Map<TransferInput, OutgoingResult>();
  for (const group of splitIndependent([...debits.keys()]))
    for (const [debit, result] of await recordGroup(uow, locked, group))
      results.set(debits.get(debit)!, result);
  return results;
}

/**
 * Changes the content of a debit so that it differs from that of a credit, because banks may give a payment and its
 * reversal the same reference.
 */
function toDebitInput(input: TransferInput): TransferInput {
  const { content, alternative } = input;
  return {
    ...input,
    content: `debit ${content}`,
    alternative: alternative && { ...alternative, content: `debit ${alternative.content}` },
  };
}

async function recordGroup(
  uow: UnitOfWork<MessageService>,
  context: LockedContext,
  inputs: readonly TransferInput[],
): Promise<Map<TransferInput, OutgoingResult>> {
  const { tx } = uow;
  const { account } = context;
  const checks = await checkRepeats(tx, account, inputs);
  const newInputs = [...checks.values()].flatMap((check) => ('input' in check ? check.input : []));
  const drafts = newInputs.map((input) => draftOutgoing(context, input));
  const duplicates = await findDuplicates(tx, drafts, account);
  const rows = drafts.map((draft): Transfer => {
    const duplicate = duplicates.get(draft);
    if (duplicate && 'duplicateOfId' in duplicate)
      return { ...draft, status: 'duplicate', duplicateOfId: duplicate.duplicateOfId };
    // Most outgoing transfers are not refunds. Without a payment reference, they need neither a search for
    // the refund nor an update.
    const hasNoReference = getPaymentReferences(draft).length === 0;
    return { ...draft, reason: duplicate?.reason ?? (hasNoReference ? 'unknown_payout' : null) };
  });
  await tx.transfer.createMany({ data: rows });
  const results = new Map<TransferInput, OutgoingResult>();
  for (const [i, row] of rows.entries()) results.set(newInputs[i]!, await settleTransfer(uow, row, context));
  return new Map(
    [...checks].map(([input, check]) => [
      input,
      'recorded' in check
        ? { status: 'duplicate', transferId: check.recorded.id }
        : results.get(check.input)!,
    ]),
  );
}

function draftOutgoing(context: RecordContext, input: TransferInput): Transfer {
  return { ...draftTransfer({ ...context, input }), direction: 'debit', status: 'outgoing' };
}

async function settleTransfer(
  uow: UnitOfWork<MessageService>,
  row: Transfer,
  context: RecordContext,
): Promise<OutgoingResult> {
  if (row.status === 'duplicate') return { status: 'duplicate', transferId: row.id };
  if (row.reason !== null) return toOutgoingResult(row, row.reason as TransferReason);
  const settlement = await settlePayout(uow, row, context);
  if ('refundId' in settlement)
    return { status: 'outgoing', transferId: row.id, refundId: settlement.refundId };
  // Bypasses `transitionTransfer`: the row is not committed yet, so no other transaction has read it without a
  // reason.
  await uow.tx.transfer.update({ where: { id: row.id }, data: { reason: settlement.reason } });
  return toOutgoingResult(row, settlement.reason);
}

function toOutgoingResult(row: Transfer, reason: TransferReason): OutgoingResult {
  return { status: 'outgoing', transferId: row.id, reason };
}

type Settlement = { refundId: string } | { reason: OutgoingReason };

/**
 * Completes the refund that an outgoing transfer pays out: the transfer must contain the refund's payout
 * reference and have its amount and currency. If the payout was already confirmed manually or returned, only links
 * the transfer to the payout. If the transfer pays out no refund, returns the reason. The row of the transfer
 * must exist. Locks the charge of the refund.
 */
async function settlePayout(
  uow: UnitOfWork<MessageService>,
  transfer: Transfer,
  { actor, now, systemNow }: Pick<RecordContext, 'actor' | 'now' | 'systemNow'>,
): Promise<Settlement> {
  const { tx } = uow;
  const match = await findReferencedRefund(tx, transfer);
  if ('reason' in match) return match;
  const scope = { merchantId: transfer.merchantId, mode: transfer.mode };
  const { refund, charge } = await lockRefund(tx, { ...scope, id: match.refund.id });
  const paymentReferences = getPaymentReferences(transfer);
  if (!paymentReferences.includes(refund.payoutReference)) {
    const isLinked = await linkToPayout(tx, refund, transfer);
    return isLinked ? { refundId: refund.id } : { reason: 'payout_superseded' };
  }
  if (transfer.amount !== refund.customerAmount || transfer.currency !== refund.customerCurrency) {
    return { reason: 'payout_amount_mismatch' };
  }
  if (refund.status === 'processing') {
    await transitionRefund(uow, { refund, charge }, 'completed', {
      actor,
      now,
      systemNow,
      payout: transfer,
    });
    return { refundId: refund.id };
  }
  if (refund.status !== 'completed') return { reason: 'payout_not_expected' };
  const isLinked = await linkToPayout(tx, refund, transfer);
  return isLinked ? { refundId: refund.id } : { reason: 'payout_repeated' };
}

/**
 * Returns the refund whose current or previous payout reference the transfer contains, or the reason why
 * there is not exactly one.
 */
async function findReferencedRefund(
  tx: Tx,
  transfer: Transfer,
): Promise<{ refund: Pick<Refund, 'id'> } | { reason: OutgoingReason }> {
  const paymentReferences = getPaymentReferences(transfer);
  if (paymentReferences.length === 0) return { reason: 'unknown_payout' };
  const { merchantId, mode } = transfer;
  const select = { id: true };
  const currentRefunds = await tx.refund.findMany({
    where: { merchantId, mode, payoutReference: { in: paymentReferences } },
    select,
  });
  const refunds =
    currentRefunds.length > 0
      ? currentRefunds
      : await tx.$queryRaw<{ id: string }[]>`SELECT id FROM refund WHERE merchant_id = ${merchantId}
          AND mode = ${mode}::mode AND previous_payout_references && ${paymentReferences} AND previous_payout_references <> '{}'`;
  if (refunds.length > 1) return { reason: 'multiple_refunds' };
  return refunds[0] ? { refund: refunds[0] } : { reason: 'unknown_payout' };
}

/**
 * Links the transfer to a payout that has its reference and amount, but no transfer yet: the merchant confirmed it, or
 * its return was reported first. Returns whether there is one; otherwise, the transfer is a second payment.
 */
async function linkToPayout(tx: Tx, refund: Refund, transfer: Transfer): Promise<boolean> {
  const { amount, currency, receivingAccountId, paidAt } = transfer;
  const reference = { in: getPaymentReferences(transfer) };
  const payout = await tx.refundPayout.findFirst({
    where: { refundId: refund.id, transferId: null, reference, amount, currency },
    orderBy: { id: 'asc' },
  });
  if (!payout) return false;
  const data = { transferId: transfer.id, receivingAccountId, paidAt };
  await tx.refundPayout.update({ where: { id: payout.id }, data });
  return true;
}

/**
 * The reasons why an outgoing transfer is not a refund payout, with a text for the merchant. The keys are stored in
 * `transfer.reason`, so they must not change.
 */
const outgoingReasons = {
  unknown_payout: 'The outgoing transfer carries no payout reference of a refund',
  payout_amount_mismatch: 'The amount or currency of the outgoing transfer differs from that of the refund',
  payout_not_expected:
    'The outgoing transfer carries the payout reference of a refund that was not ready to be paid',
  payout_superseded:
    'The outgoing transfer carries an outdated payout reference, because the refund was reopened and has a new one; check which account was paid',
  payout_repeated:
    'The outgoing transfer carries the payout reference of a refund that had already been paid, so this may be a second payment',
  multiple_refunds: 'The outgoing transfer carries the payout references of several refunds',
} as const;

type OutgoingReason = keyof typeof outgoingReasons;

export const transferReasons: Record<TransferReason, string> = { ...exceptionReasons, ...outgoingReasons };
export type TransferReason = ExceptionReason | OutgoingReason;
