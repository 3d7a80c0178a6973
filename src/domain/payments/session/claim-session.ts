import type { CheckoutSession } from '../../../../prisma/client/client.ts';
import { announceChange } from '../../../event/announce-change.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import { sha256 } from '../../../kit/secrets.ts';
import type { Service } from '../../platform/service.ts';
import { lockSession } from '../checkout/lock-session.ts';
import { getSessionStatusAt, sessionClosedError, sessionLifetimeMs } from './session-state.ts';
import { transitionSession } from './transition-session.ts';

type SessionClaim = {
  session: CheckoutSession;
  /** False if another browser has claimed the session, and `canTakeOver` is false. */
  isClaimed: boolean;
};

/**
 * Claims the session for the customer's browser (created → initiated). Until a charge exists, another browser
 * can claim it with `canTakeOver`. `browserToken` is a random secret of the browser; only its hash is stored.
 * Throws `session_not_found`, `session_expired`, `session_cancelled` or `session_already_used`.
 */
export async function claimSession(
  service: Service,
  options: {
    id: string;
    browserToken: string;
    canTakeOver: boolean;
    /** The language of the customer's page; by default, that of the session. */
    language?: string;
    actor?: string;
    now: MerchantTime;
  },
): Promise<SessionClaim> {
  const { actor = 'customer', now } = options;
  const claimHash = sha256(options.browserToken);
  return transact(service, async (uow) => {
    const session = await lockSession(uow.tx, options.id);
    const status = getSessionStatusAt(session, now);
    const language = options.language ?? session.language;
    if (status === 'created') {
      const expiresAt = session.lastExpiresAt ?? new Date(now.getTime() + sessionLifetimeMs.initiated);
      const data = { claimHash, language, expiresAt };
      return {
        session: await transitionSession(uow, session, 'initiated', { now, actor, data }),
        isClaimed: true,
      };
    }
    if (status !== 'initiated') throw sessionClosedError(status);
    if (session.claimHash === claimHash) {
      if (session.language === language) return { session, isClaimed: true };
    } else if (!options.canTakeOver) return { session, isClaimed: false };
    const updated = await uow.tx.checkoutSession.update({
      where: { id: session.id },
      data: { claimHash, language, updatedAt: now },
    });
    // Records no event, because neither the claim nor the language concerns the merchant. The announcement updates
    // the page that lost the claim.
    announceChange(uow, { ...updated, objectId: updated.id });
    return { session: updated, isClaimed: true };
  });
}

export function isSessionClaimedBy(session: CheckoutSession, browserToken: string | undefined): boolean {
  return browserToken !== undefined && session.claimHash === sha256(browserToken);
}
