import type { ChargeStatus } from '../../../../prisma/client/client.ts';

/**
 * Where a charge may go. `expired → completed` is for a transfer that was paid in time but learned of late, and for one
 * the merchant assigns by hand; `cancelled → completed` only for the latter.
 */
export const chargeTransitions: Record<ChargeStatus, readonly ChargeStatus[]> = {
  pending: ['completed', 'expired', 'cancelled'],
  completed: [],
  expired: ['completed'],
  cancelled: ['completed'],
};

/** A customer's page may not cancel a charge that has received money; the merchant may. */
export function canCustomerCancel(charge: { status: ChargeStatus; amountReceived: bigint }): boolean {
  return charge.status === 'pending' && charge.amountReceived === 0n;
}

/** Whether it can no longer be paid in time, also before the job has said so. */
export function isPastExpiry(charge: { status: ChargeStatus; expiresAt: Date }, now: Date): boolean {
  return charge.status === 'pending' && charge.expiresAt < now;
}

export type PaymentState = 'none' | 'partial' | 'exact' | 'over';

/** What has been received, held against what was asked. */
export function getPaymentState(charge: { customerAmount: bigint; amountReceived: bigint }): PaymentState {
  if (charge.amountReceived <= 0n) return 'none';
  if (charge.amountReceived < charge.customerAmount) return 'partial';
  return charge.amountReceived === charge.customerAmount ? 'exact' : 'over';
}
