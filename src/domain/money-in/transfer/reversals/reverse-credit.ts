import type { Charge, Transfer } from '../../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../../event/unit-of-work.ts';
import type { Tx } from '../../../../kit/db.ts';
import type { MessageService } from '../../../../message/enqueue-message.ts';
import { getUnallocatedAmount, lockTransfers } from '../../../payments/allocation/lock-transfer.ts';
import { transitionTransfer } from '../../../payments/allocation/transition-transfer.ts';
import { addReceivedAmounts } from '../../../payments/charge/transition-charge.ts';
import { cancelUncoveredRefunds } from '../../../payments/refund/cancel-uncovered-refunds.ts';
import { getFeeByCharge, getNetByCharge, getNetByRefund } from '../net-allocations.ts';
import type { RecordContext } from '../record/draft-transfer.ts';

type CreditReversal = {
  credit: Transfer;
  allocations: { charge: Charge; amount: bigint; fee: bigint }[];
  /** The refund that the credit reopened as a returned payout. */
  refunds: { refundId: string; amount: bigint }[];
};

/**
 * Unallocates a credit that the bank has reversed, and cancels the refunds that are no longer covered. After the
 * reversal of a returned payout, its refund stays open, and the merchant decides. The caller must have locked the
 * account and checked that the credit is neither a duplicate nor already reversed.
 */
export async function reverseCredit(
  uow: UnitOfWork<MessageService>,
  creditId: string,
  { actor, now }: Pick<RecordContext, 'actor' | 'now'>,
): Promise<void> {
  const { credit, allocations, refunds } = await lockCreditReversal(uow.tx, creditId);
  const receipts = allocations.map(({ charge, amount, fee }) => ({
    charge,
    received: -amount,
    fee: -fee,
    eventType: null,
  }));
  const updated = await addReceivedAmounts(uow, receipts, { actor, now });
  await cancelUncoveredRefunds(uow, updated, { actor, now });
  const freedAmount = [...allocations, ...refunds].reduce((sum, { amount }) => sum + amount, 0n);
  await transitionTransfer(uow, credit, {
    ...(allocations.length > 0 || refunds.length > 0
      ? { to: 'exception' as const, reason: 'reversed' as const }
      : { to: 'returned' as const }),
    allocations: [
      ...allocations.map(({ charge, amount, fee }) => ({
        chargeId: charge.id,
        amount: -amount,
        feeAmount: -fee,
        reason: 'reversed' as const,
      })),
      ...refunds.map(({ refundId, amount }) => ({
        chargeId: null,
        refundId,
        amount: -amount,
        reason: 'reversed' as const,
      })),
      { chargeId: null, amount: getUnallocatedAmount(credit) + freedAmount, reason: 'reversed' as const },
    ].filter(({ amount }) => amount !== 0n),
    actor,
    now,
  });
}

/**
 * Locks the charges of the credit, then the credit, until the transaction ends. Reads the allocations again,
 * because a concurrent decision may have changed them before the lock.
 */
async function lockCreditReversal(tx: Tx, creditId: string): Promise<CreditReversal> {
  await lockAllocations(tx, creditId);
  const [credit] = await lockTransfers(tx, [creditId]);
  const allocations = await lockAllocations(tx, creditId);
  const refunds = [...(await getNetByRefund(tx, creditId))]
    .filter(([, amount]) => amount > 0n)
    .map(([refundId, amount]) => ({ refundId, amount }));
  return { credit: credit as Transfer, allocations, refunds };
}

async function lockAllocations(tx: Tx, transferId: string): Promise<CreditReversal['allocations']> {
  const net = await getNetByCharge(tx, transferId);
  const ids = [...net].flatMap(([id, amount]) => (id !== null && amount > 0n ? [id] : []));
  if (ids.length === 0) return [];
  await tx.$queryRaw`SELECT 1 FROM charge WHERE id = ANY(${ids}) ORDER BY id FOR UPDATE`;
  const charges = await tx.charge.findMany({ where: { id: { in: ids } }, orderBy: { id: 'asc' } });
  const fees = await getFeeByCharge(tx, transferId);
  return charges.map((charge) => ({
    charge,
    amount: net.get(charge.id) as bigint,
    fee: fees.get(charge.id) ?? 0n,
  }));
}
