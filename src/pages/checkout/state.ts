import type { Charge } from '../../../prisma/client/client.ts';
import type { Subject } from './subject.ts';

/** What the customer sees of a charge: the status by the clock, also before the job has said so. */
export type ChargeView = 'pending' | 'paid' | 'expired' | 'cancelled';

export function chargeView(charge: Pick<Charge, 'status' | 'expiresAt'>, now: Date): ChargeView {
  if (charge.status === 'completed') return 'paid';
  if (charge.status === 'pending' && charge.expiresAt < now) return 'expired';
  return charge.status;
}

/**
 * Names what the page shows, in one word that changes exactly when an open page must be shown anew. Claiming a session
 * in the browser that shows it is no such change, so that nothing typed is lost.
 */
export function pageState(subject: Subject, now: Date): string {
  if (subject.kind === 'charge') return chargeState(subject.charge, now);
  if (subject.kind !== 'session') return 'open';
  const { status, charge, isHeld } = subject;
  if (charge) return chargeState(charge, now);
  if (status === 'created' || (status === 'initiated' && isHeld)) return 'open';
  return status === 'initiated' ? 'elsewhere' : `session-${status}`;
}

function chargeState(charge: Charge, now: Date): string {
  return `${chargeView(charge, now)}-${charge.amountReceived}`;
}

/** The object whose changes an open page follows; undefined where nothing can change. */
export function liveTopic(subject: Subject): string | undefined {
  if (subject.kind === 'charge') return subject.charge.id;
  return subject.kind === 'session' ? (subject.charge?.id ?? subject.session.id) : undefined;
}
