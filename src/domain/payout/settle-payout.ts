import type { Refund, Transfer } from '../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../event/unit-of-work.ts';
import type { Tx } from '../../kit/db.ts';
import { lockRefund } from '../refund/lock-refund.ts';
import { transitionRefund } from '../refund/transition-refund.ts';
import { noncesOf } from '../transfer/nonces-of.ts';
import type { OutgoingReason } from './outgoing-reasons.ts';

export type Settlement = { refundId: string } | { reason: OutgoingReason };

/**
 * Completes the refund whose payout an outgoing transfer is: its reference carries the refund's word, amount and
 * currency are equal. A refund that was confirmed by hand before has this line put to its payout, and is not completed
 * again. Else the reason why it is no payout. The transfer's row is there; the refund's charge is locked meanwhile.
 */
export async function settlePayout(
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
