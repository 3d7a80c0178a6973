import type { Charge, Mode, Refund, RefundStatus } from '../../../../prisma/client/client.ts';

/**
 * The status changes that are always allowed, except those of refunds in a payout file. `processing → initiated`
 * happens if a payout is returned and the customer must enter payout details again.
 */
const refundTransitions: Record<RefundStatus, readonly RefundStatus[]> = {
  initiated: ['processing', 'cancelled'],
  processing: ['completed', 'initiated', 'cancelled'],
  completed: [],
  cancelled: [],
};

/**
 * Returns whether a status change is allowed. A refund in a payout file (`isExported`) cannot be cancelled, because the
 * bank may have the file. Further changes are allowed:
 * - `initiated → completed` in the sandbox, where no real money moves
 * - `completed → initiated` if a transfer has returned the payout (`isReturned`)
 * - `completed → processing` if the merchant had marked the refund as paid by mistake (`isMistaken`)
 */
export function canTransitionRefund(
  from: RefundStatus,
  to: RefundStatus,
  {
    mode,
    isReturned = false,
    isMistaken = false,
    isExported = false,
  }: { mode: Mode; isReturned?: boolean; isMistaken?: boolean; isExported?: boolean },
): boolean {
  if (isExported && to === 'cancelled') return false;
  if (mode === 'sandbox' && from === 'initiated' && to === 'completed') return true;
  if (isReturned && from === 'completed' && to === 'initiated') return true;
  if (isMistaken && from === 'completed' && to === 'processing') return true;
  return refundTransitions[from].includes(to);
}

type RefundableCharge = Pick<Charge, 'status' | 'completedBy' | 'amountReceived' | 'customerAmount'>;

/**
 * Returns the minor units of the customer's currency that can still be refunded: the amount received less all refunds
 * that are not cancelled. For a charge that the sandbox completed without a transfer, the requested amount counts as
 * received. Returns 0 unless the charge is completed.
 */
export function getRefundableAmount(
  charge: RefundableCharge,
  refunds: readonly Pick<Refund, 'status' | 'customerAmount'>[],
): bigint {
  if (charge.status !== 'completed') return 0n;
  const paidAmount = charge.completedBy === 'sandbox' ? charge.customerAmount : charge.amountReceived;
  const refundedAmount = refunds
    .filter((refund) => refund.status !== 'cancelled')
    .reduce((sum, refund) => sum + refund.customerAmount, 0n);
  return paidAmount > refundedAmount ? paidAmount - refundedAmount : 0n;
}
