import type { Charge, Mode, Refund, RefundStatus } from '../../../../prisma/client/client.ts';

/**
 * Where a refund may go. `processing → initiated` when the payout came back and the customer is asked again;
 * `completed → initiated` only with the bank's line that brought it back; `initiated → completed` only in the sandbox,
 * where nobody waits for the money.
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
 * Minor units of the customer's currency that can still be refunded: what was received (asked, where the charge was
 * completed by hand) less all refunds that were not withdrawn. Nothing while the charge is not completed.
 */
export function getRefundableAmount(
  charge: RefundableCharge,
  refunds: readonly Pick<Refund, 'status' | 'customerAmount'>[],
): bigint {
  if (charge.status !== 'completed') return 0n;
  const paidAmount = charge.completedBy === 'hand' ? charge.customerAmount : charge.amountReceived;
  const refundedAmount = refunds
    .filter((refund) => refund.status !== 'cancelled')
    .reduce((sum, refund) => sum + refund.customerAmount, 0n);
  return paidAmount > refundedAmount ? paidAmount - refundedAmount : 0n;
}
