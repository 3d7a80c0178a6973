import type { Charge, Refund, Transfer } from '../../../../prisma/client/client.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import type { Tx } from '../../../kit/db.ts';
import { newId } from '../../../kit/id.ts';
import { getPaymentReferences } from '../allocation/get-payment-references.ts';

/**
 * Records that a refund was paid. Without `payout`, the merchant has confirmed the payment, and the account
 * of the charge is recorded as its origin.
 */
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
 * Links the payout of a refund to the transfer that returned it, which contains the same reference. There may
 * be no payout yet, because a source can report the return before the payout.
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
