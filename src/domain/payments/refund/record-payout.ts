import type { Charge, Refund, Transfer } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import type { Tx } from '../../../kit/db.ts';
import { newId } from '../../../kit/id.ts';
import { getPaymentReferences } from '../allocation/get-payment-references.ts';
import { lockTransfer } from '../allocation/lock-transfer.ts';
import { transitionTransfer } from '../allocation/transition-transfer.ts';

type PayoutContext = { actor: string; now: MerchantTime };

/**
 * Records that a refund was paid. Without `payout`, the merchant has confirmed the payment, and the account
 * of the charge is recorded as its origin.
 */
export async function recordPayout(
  tx: Tx,
  { refund, charge }: { refund: Refund; charge: Charge },
  options: PayoutContext & { payout: Transfer | undefined },
): Promise<void> {
  const { payout, now } = options;
  await createPayout(tx, refund, {
    ...options,
    receivingAccountId: payout?.receivingAccountId ?? charge.receivingAccountId,
    reference: refund.payoutReference,
    paidAt: payout?.paidAt ?? now,
    transferId: payout?.id ?? null,
  });
}

type PayoutData = {
  receivingAccountId: string;
  reference: string;
  paidAt: Date;
  transferId: string | null;
  returnedTransferId?: string;
};

async function createPayout(tx: Tx, refund: Refund, options: PayoutContext & PayoutData): Promise<void> {
  const { receivingAccountId, reference, paidAt, transferId, returnedTransferId, actor, now } = options;
  await tx.refundPayout.create({
    data: {
      id: newId('payout', now),
      merchantId: refund.merchantId,
      mode: refund.mode,
      refundId: refund.id,
      receivingAccountId,
      reference,
      amount: refund.customerAmount,
      currency: refund.customerCurrency,
      paidAt,
      transferId,
      returnedTransferId: returnedTransferId ?? null,
      actor,
      createdAt: now,
    },
  });
}

/**
 * Links the payout of a refund to the transfer that returned it, which contains the same reference. If none is
 * recorded, records it with its outgoing transfer, if a source has already reported that; otherwise, that is linked
 * later. The caller must hold the lock of the charge.
 */
export async function recordPayoutReturn(
  uow: UnitOfWork,
  { refund, returnTransfer }: { refund: Refund; returnTransfer: Transfer },
  { actor, now }: PayoutContext,
): Promise<void> {
  const { tx } = uow;
  const references = getPaymentReferences(returnTransfer);
  const { count } = await tx.refundPayout.updateMany({
    where: { refundId: refund.id, returnedTransferId: null, reference: { in: references } },
    data: { returnedTransferId: returnTransfer.id },
  });
  const ofRefund = [refund.payoutReference, ...refund.previousPayoutReferences];
  const reference = ofRefund.find((own) => references.includes(own));
  if (count > 0 || reference === undefined) return;
  const payout = await findUnlinkedPayout(tx, refund, reference);
  const { id, receivingAccountId, paidAt } = payout ?? returnTransfer;
  if (payout) await transitionTransfer(uow, payout, { to: 'outgoing', allocations: [], actor, now });
  await createPayout(tx, refund, {
    ...{ receivingAccountId, reference, paidAt, actor, now },
    transferId: payout ? id : null,
    returnedTransferId: returnTransfer.id,
  });
}

/** Finds and locks the outgoing transfer that was reported before the details, or after the refund was reopened. */
async function findUnlinkedPayout(tx: Tx, refund: Refund, reference: string): Promise<Transfer | undefined> {
  const { merchantId, mode, customerAmount: amount, customerCurrency: currency } = refund;
  const candidates = await tx.transfer.findMany({
    where: {
      ...{ merchantId, mode, amount, currency, direction: 'debit', undoneAt: null },
      ...{ status: 'outgoing', reason: { in: ['payout_superseded', 'payout_not_expected'] } },
    },
    orderBy: { id: 'asc' },
  });
  const match = candidates.find((transfer) => getPaymentReferences(transfer).includes(reference));
  return match && lockTransfer(tx, { merchantId, mode, id: match.id });
}
