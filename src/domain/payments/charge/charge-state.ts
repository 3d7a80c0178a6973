import type { Charge, ChargeStatus } from '../../../../prisma/client/client.ts';

/**
 * Allowed status changes of a charge. `expired → completed` happens when a transfer paid in time is reported
 * late, or when the merchant assigns one manually. `cancelled → completed` happens when the merchant assigns a transfer
 * or accepts a part payment as full.
 * `pending → pending` and `expired → pending` happen when the merchant gives the customer more time for the rest
 * of a part payment.
 */
export const chargeTransitions: Record<ChargeStatus, readonly ChargeStatus[]> = {
  pending: ['completed', 'expired', 'cancelled', 'pending'],
  completed: [],
  expired: ['completed', 'pending'],
  cancelled: ['completed'],
};

/**
 * Returns whether the customer may cancel the charge, which must be unpaid. The merchant may also cancel a
 * partly paid charge.
 */
export function canCustomerCancel(charge: { status: ChargeStatus; amountReceived: bigint }): boolean {
  return charge.status === 'pending' && charge.amountReceived === 0n;
}

/** Returns whether a pending charge is past its expiry, even if the expiry job has not run yet. */
export function isPastExpiry(charge: { status: ChargeStatus; expiresAt: Date }, now: Date): boolean {
  return charge.status === 'pending' && charge.expiresAt < now;
}

type PaymentState = 'none' | 'partial' | 'exact' | 'over';

type PaidAmounts = { customerAmount: bigint; amountReceived: bigint; feeAmount: bigint };

/** Returns what the customer has paid: the amount received, and the fees that banks deducted from the payment. */
export function getAmountPaid({ amountReceived, feeAmount }: Omit<PaidAmounts, 'customerAmount'>): bigint {
  return amountReceived + feeAmount;
}

/**
 * Returns the amount that the receipt of a completed charge states: what the customer has paid, or the requested amount
 * if the sandbox completed the charge without a transfer. It is not positive if the payment was reversed.
 */
export function getReceiptAmount(
  charge: Pick<Charge, 'completedBy' | 'customerAmount' | 'amountReceived' | 'feeAmount'>,
): bigint {
  const isSandboxCompletion = charge.amountReceived === 0n && charge.completedBy === 'sandbox';
  return isSandboxCompletion ? charge.customerAmount : getAmountPaid(charge);
}

/** Compares the amount paid with the amount requested. */
export function getPaymentState(charge: PaidAmounts): PaymentState {
  if (charge.amountReceived <= 0n) return 'none';
  const paid = getAmountPaid(charge);
  if (paid < charge.customerAmount) return 'partial';
  return paid === charge.customerAmount ? 'exact' : 'over';
}
