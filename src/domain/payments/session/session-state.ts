import type { Charge, CheckoutSession, SessionStatus } from '../../../../prisma/client/client.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import { dayMs, hourMs } from '../../../kit/duration.ts';
import { DomainError } from '../../../kit/errors.ts';

/**
 * Allowed status changes. A session is used only once: a browser claims it, and then it is charged. A charged session
 * is cancelled only after its charge has expired, so that the customer cannot start the payment again.
 */
export const sessionTransitions: Record<SessionStatus, readonly SessionStatus[]> = {
  created: ['initiated', 'cancelled', 'expired'],
  initiated: ['charged', 'cancelled', 'expired'],
  charged: ['cancelled'],
  cancelled: [],
  expired: [],
};

/**
 * How long a session is valid by default: from its creation until a browser claims it, and from then until the charge.
 */
export const sessionLifetimeMs = { created: 7 * dayMs, initiated: hourMs };

/**
 * Returns the status at `now`: a session past its expiry is expired, even if the expiry job has not run yet.
 */
export function getSessionStatusAt(session: CheckoutSession, now: MerchantTime): SessionStatus {
  const isOpen = session.status === 'created' || session.status === 'initiated';
  return isOpen && session.expiresAt < now ? 'expired' : session.status;
}

export function sessionClosedError(status: SessionStatus): DomainError {
  if (status === 'expired') return new DomainError('session_expired');
  if (status === 'cancelled') return new DomainError('session_cancelled');
  return new DomainError('session_already_used');
}

/**
 * Returns the current charge of a session, or null if there is none. It is the charge that replaced the others,
 * unless only an earlier charge is completed.
 */
export function pickCurrentCharge<C extends Pick<Charge, 'id' | 'replacesId' | 'status'>>(
  charges: readonly C[],
): C | null {
  const replacedIds = new Set(charges.map(({ replacesId }) => replacesId));
  const last = charges.find(({ id }) => !replacedIds.has(id)) ?? null;
  if (last?.status === 'completed') return last;
  return charges.find(({ status }) => status === 'completed') ?? last;
}
