import type { CheckoutSession, SessionStatus } from '../../../../prisma/client/client.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import { dayMs, hourMs } from '../../../kit/duration.ts';
import { DomainError } from '../../../kit/errors.ts';

/** A session is used exactly once: opened by the customer, then charged. */
export const sessionTransitions: Record<SessionStatus, readonly SessionStatus[]> = {
  created: ['initiated', 'cancelled', 'expired'],
  initiated: ['charged', 'cancelled', 'expired'],
  charged: [],
  cancelled: [],
  expired: [],
};

/** From creation to the customer opening it, and from there to the charge. */
export const sessionLifetimeMs = { created: 7 * dayMs, initiated: hourMs };

/** The status by the clock: a due session is expired also before the job has said so. */
export function sessionStatusAt(session: CheckoutSession, now: MerchantTime): SessionStatus {
  const isOpen = session.status === 'created' || session.status === 'initiated';
  return isOpen && session.expiresAt < now ? 'expired' : session.status;
}

/** The refusal for a session that cannot be gone on with. */
export function sessionClosed(status: SessionStatus): DomainError {
  if (status === 'expired') return new DomainError('session_expired');
  if (status === 'cancelled') return new DomainError('session_cancelled');
  return new DomainError('session_already_used');
}
