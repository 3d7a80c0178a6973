import type { Charge, Mode, Refund, RefundStatus } from '../../../../prisma/client/client.ts';

/**
 * Allowed status changes of a refund. `processing → initiated` happens when a payout is returned and the
 * customer must enter details again. `completed → initiated` requires the transfer that returned the payout.
 * `initiated → completed` is possible only in the sandbox, where no real money moves.
 */
const transitions: Record<RefundStatus, readonly RefundStatus[]> = {
  initiated: ['processing', 'cancelled'],
  processing: ['completed', 'initiated'],
  completed: [],
  cancelled: [],
};

export function canTransition(
  from: RefundStatus,
  to: RefundStatus,
  { mode, isReturned = false }: { mode: Mode; isReturned?: boolean },
): boolean {
  if (mode === 'sandbox' && from === 'initiated' && to === 'completed') return true;
  if (isReturned && from === 'completed' && to === 'initiated') return true;
  return transitions[from].includes(to);
}

type RefundableCharge = Pick<Charge, 'status' | 'completedBy' | 'amountReceived' | 'customerAmount'>;

/**
 * Returns the minor units of the customer's currency that can still be refunded: the amount received less all
 * refunds that are not cancelled. For a manually completed charge, the requested amount counts as received.
 * Returns 0 unless the charge is completed.
 */
export function getRefundableAmount(
  charge: RefundableCharge,
  refunds: readonly Pick<Refund, 'status' | 'customerAmount'>[],
): bigint {
  if (charge.status !== 'completed') return 0n;
  const paidAmount = charge.completedBy === 'manual' ? charge.customerAmount : charge.amountReceived;
  const refundedAmount = refunds
    .filter((refund) => refund.status !== 'cancelled')
    .reduce((sum, refund) => sum + refund.customerAmount, 0n);
  return paidAmount > refundedAmount ? paidAmount - refundedAmount : 0n;
}
