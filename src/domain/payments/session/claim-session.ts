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
  /** False if another browser has claimed the session. */
  isHeld: boolean;
};

/**
 * Claims the session for the customer's browser (created → initiated). Another browser can claim it only with
 * `takeOver`, until a charge exists. `browserToken` is a random secret of the browser; only its hash is
 * stored. Throws `session_not_found`, `session_expired`, `session_cancelled` or `session_already_used`.
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
    // No event, since this does not concern the merchant; the browser that lost the claim shows the change.
    announceChange(uow, { ...updated, objectId: updated.id });
    return { session: updated, isHeld: true };
  });
}

export function isSessionClaimedBy(session: CheckoutSession, browserToken: string | undefined): boolean {
  return browserToken !== undefined && session.claimHash === sha256(browserToken);
}
