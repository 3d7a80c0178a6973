import type { CheckoutSession } from '../../../../prisma/client/client.ts';
import { announceChange } from '../../../event/announce-change.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import type { Db } from '../../../kit/db.ts';
import { sha256 } from '../../../kit/secrets.ts';
import { lockSession } from './lock-session.ts';
import { sessionClosed, sessionLifetimeMs, sessionStatusAt } from './session-state.ts';
import { transitionSession } from './transition-session.ts';

export type SessionClaim = {
  session: CheckoutSession;
  /** False when another browser holds the session. */
  isHeld: boolean;
};

/**
 * The customer's browser takes the session (created → initiated). Another browser gets it only with `takeOver`, while
 * there is no charge. `browserToken` is a random secret of the browser; only its hash is kept. Errors:
 * `session_not_found`, `session_expired`, `session_cancelled`, `session_already_used`.
 */
export async function claimSession(
  db: Db,
  options: { id: string; browserToken: string; takeOver: boolean; now: MerchantTime },
): Promise<SessionClaim> {
  const { now } = options;
  const claimHash = sha256(options.browserToken);
  return transact(db, async (uow) => {
    const session = await lockSession(uow.tx, options.id);
    const status = sessionStatusAt(session, now);
    if (status === 'created') {
      const data = { claimHash, expiresAt: new Date(now.getTime() + sessionLifetimeMs.initiated) };
      return {
        session: await transitionSession(uow, session, 'initiated', { now, actor: 'customer', data }),
        isHeld: true,
      };
    }
    if (status !== 'initiated') throw sessionClosed(status);
    if (session.claimHash === claimHash) return { session, isHeld: true };
    if (!options.takeOver) return { session, isHeld: false };
    const updated = await uow.tx.checkoutSession.update({
      where: { id: session.id },
      data: { claimHash, updatedAt: now },
    });
    // No event: the merchant need not know. The browser that held it shows what happened.
    announceChange(uow, { ...updated, objectId: updated.id });
    return { session: updated, isHeld: true };
  });
}

/** Whether this browser holds the session. */
export function isSessionClaimedBy(session: CheckoutSession, browserToken: string | undefined): boolean {
  return browserToken !== undefined && session.claimHash === sha256(browserToken);
}
