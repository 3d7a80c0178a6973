import type { Charge } from '../../../prisma/client/client.ts';
import { isPastExpiry } from '../../domain/payments/charge/charge-state.ts';
import {
  type CheckoutCharge,
  getPartialAmountReceived,
} from '../../domain/payments/checkout/get-checkout-charge.ts';
import type { Money } from '../../kit/money.ts';
import type { CheckoutTarget } from './checkout-target.ts';

/**
 * The status that the customer sees. A charge is shown as expired after its expiry time, even if the job has not
 * expired it yet.
 */
export type ChargeDisplayStatus = 'pending' | 'paid' | 'expired' | 'cancelled';

export function getDisplayStatus(
  charge: Pick<Charge, 'status' | 'expiresAt'>,
  now: Date,
): ChargeDisplayStatus {
  if (charge.status === 'completed') return 'paid';
  if (isPastExpiry(charge, now)) return 'expired';
  return charge.status;
}

/**
 * Returns a key that changes exactly when an open page must be reloaded. The key does not change when this
 * browser claims the session, because a reload would discard form input.
 */
export function getStateKey(target: CheckoutTarget, now: Date): string {
  if (target.kind === 'charge') return getChargeStateKey(target.charge, now);
  if (target.kind !== 'session') return 'open';
  const { status, charge, isClaimedHere } = target;
  if (charge) return getChargeStateKey(charge, now);
  if (status === 'created' || (status === 'initiated' && isClaimedHere)) return 'open';
  return status === 'initiated' ? 'elsewhere' : `session-${status}`;
}

function getChargeStateKey(charge: CheckoutCharge, now: Date): string {
  const sum = (amounts: Money[]) => amounts.reduce((total, { minor }) => total + minor, 0n);
  const amounts = [
    charge.amountReceived,
    getPartialAmountReceived(charge),
    sum(charge.unallocatedTransfers.map(({ money }) => money)),
    sum(charge.returns),
    ...charge.refunds.map(({ status, customerAmount }) => `${status}${customerAmount}`),
  ];
  return [charge.id, getDisplayStatus(charge, now), ...amounts].join('-');
}

/** Returns the ID of the object whose changes an open page follows, or `undefined` if nothing can change. */
export function getLiveTopic(target: CheckoutTarget): string | undefined {
  if (target.kind === 'charge') return target.charge.id;
  return target.kind === 'session' ? (target.charge?.id ?? target.session.id) : undefined;
}
