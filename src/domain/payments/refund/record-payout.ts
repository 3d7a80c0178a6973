import type { Charge, Refund, Transfer } from '../../../../prisma/client/client.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import type { Tx } from '../../../kit/db.ts';
import { newId } from '../../../kit/id.ts';
import { getPaymentReferences } from '../allocation/get-payment-references.ts';

/** Keeps that a refund was paid: by the bank's line, or on the word of a person from the charge's own account. */
export async function recordPayout(
  tx: Tx,
  { refund, charge }: { refund: Refund; charge: Charge },
  options: { payout: Transfer | undefined; actor: string; now: MerchantTime },
): Promise<void> {
  const { payout, actor, now } = options;
  await tx.refundPayout.create({
    data: {
      id: newId('payout', now),
      merchantId: refund.merchantId,
      mode: refund.mode,
      refundId: refund.id,
      receivingAccountId: payout?.receivingAccountId ?? charge.receivingAccountId,
      reference: refund.payoutReference,
      amount: refund.customerAmount,
      currency: refund.customerCurrency,
      paidAt: payout?.paidAt ?? now,
      transferId: payout?.id ?? null,
      actor,
      createdAt: now,
    },
  });
}

/**
 * Keeps that the payout of a refund came back with this line, which carries the payout's word. None may stand: it was
 * known to have gone wrong before its line was seen.
 */
export async function recordPayoutReturn(tx: Tx, refund: Refund, returnTransfer: Transfer): Promise<void> {
  await tx.refundPayout.updateMany({
    where: {
      refundId: refund.id,
      returnedTransferId: null,
      reference: { in: getPaymentReferences(returnTransfer) },
    },
    data: { returnedTransferId: returnTransfer.id },
  });
}
