import type { Charge } from '../../../prisma/client/client.ts';
import type { CheckoutTarget } from './checkout-target.ts';

/** What the customer sees of a charge: the status by the clock, also before the job has said so. */
export type ChargeDisplayStatus = 'pending' | 'paid' | 'expired' | 'cancelled';

export function getDisplayStatus(
  charge: Pick<Charge, 'status' | 'expiresAt'>,
  now: Date,
): ChargeDisplayStatus {
  if (charge.status === 'completed') return 'paid';
  if (charge.status === 'pending' && charge.expiresAt < now) return 'expired';
  return charge.status;
}

/**
 * Names what the page shows, in one word that changes exactly when an open page must be shown anew. Claiming a session
 * in the browser that shows it is no such change, so that nothing typed is lost.
 */
export function getPageState(target: CheckoutTarget, now: Date): string {
  if (target.kind === 'charge') return getChargeState(target.charge, now);
  if (target.kind !== 'session') return 'open';
  const { status, charge, isClaimedHere } = target;
  if (charge) return getChargeState(charge, now);
  if (status === 'created' || (status === 'initiated' && isClaimedHere)) return 'open';
  return status === 'initiated' ? 'elsewhere' : `session-${status}`;
}

function getChargeState(charge: Charge, now: Date): string {
  return `${getDisplayStatus(charge, now)}-${charge.amountReceived}`;
}

/** The object whose changes an open page follows; undefined where nothing can change. */
export function getLiveTopic(target: CheckoutTarget): string | undefined {
  if (target.kind === 'charge') return target.charge.id;
  return target.kind === 'session' ? (target.charge?.id ?? target.session.id) : undefined;
}
