import type { Refund, Transfer } from '../../../prisma/client/client.ts';
import type { Db, Tx } from '../../kit/db.ts';
import { findNonces, foldReference } from '../../method/nonce.ts';

/**
 * The bank's line that brought a refund's payout back: money that returned, of its amount, with its word (or one it had
 * before), that waits for somebody to decide. Undefined: there is none.
 */
export async function findReturnedPayout(
  db: Tx | Db['prisma'],
  refund: Refund,
): Promise<Transfer | undefined> {
  const candidates = await db.transfer.findMany({
    where: {
      merchantId: refund.merchantId,
      mode: refund.mode,
      status: 'exception',
      reason: 'returned_payment',
      allocated: 0,
      amount: refund.customerAmount,
      currency: refund.customerCurrency,
    },
    orderBy: { id: 'asc' },
  });
  return candidates.find(({ reference }) => carriesWordOf(refund, reference));
}

/** The refund whose payout a line may have brought back, as findReturnedPayout sees it. */
export async function findRefundOfReturn(db: Db['prisma'], transfer: Transfer): Promise<Refund | undefined> {
  if (transfer.status !== 'exception' || transfer.reason !== 'returned_payment') return undefined;
  const words = findNonces(foldReference(transfer.reference));
  const refunds = await db.refund.findMany({
    where: {
      merchantId: transfer.merchantId,
      mode: transfer.mode,
      customerAmount: transfer.amount,
      customerCurrency: transfer.currency,
      status: { in: ['processing', 'completed'] },
      payoutReference: { in: words },
    },
    take: 2,
  });
  return refunds.length === 1 ? refunds[0] : undefined;
}

function carriesWordOf(refund: Refund, reference: string): boolean {
  const words = findNonces(foldReference(reference));
  return [refund.payoutReference, ...refund.pastReferences].some((word) => words.includes(word));
}
