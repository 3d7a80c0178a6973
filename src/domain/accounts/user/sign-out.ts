import { transact } from '../../../event/unit-of-work.ts';
import type { Db } from '../../../kit/db.ts';
import { sha256 } from '../../../kit/secrets.ts';
import { recordAudit } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import { lockUserRow } from './lock-user.ts';
import type { SessionContext } from './reauthenticate.ts';
import { endSessions } from './user-session.ts';

/**
 * Ends the session of a cookie's token, and its open connections. Does nothing if the session has already
 * ended.
 */
export async function signOut(db: Db, options: { token: string }): Promise<void> {
  await transact(db, async (uow) => {
    const session = await uow.tx.userSession.findUnique({
      where: { tokenHash: sha256(options.token) },
      include: { user: true },
    });
    if (session) await endSessions(uow, { user: session.user, onlySessionId: session.id });
  });
}

/**
 * Ends every session of a user, including those of concurrent sign-ins, except the current one if `keepCurrent` is set.
 * Returns the number of ended sessions.
 */
export async function signOutEverywhere(
  service: Service,
  options: SessionContext & { keepCurrent: boolean },
): Promise<number> {
  const { user, session, keepCurrent, ipAddress, now } = options;
  return transact(service, async (uow) => {
    await lockUserRow(uow.tx, user.id);
    const endedCount = await endSessions(uow, { user, keepSessionId: keepCurrent ? session.id : undefined });
    const { id, merchantId } = user;
    const entry = { merchantId, actor: `user:${id}`, ipAddress, objectId: id, detail: { endedCount }, now };
    await recordAudit(uow, { ...entry, action: 'user.signed_out_everywhere' });
    return endedCount;
  });
}

/** Ends one of the user's own sessions. Returns false if it has already ended. */
export async function endUserSession(
  service: Service,
  options: SessionContext & { id: string },
): Promise<boolean> {
  const { user, id } = options;
  return transact(service, async (uow) => (await endSessions(uow, { user, onlySessionId: id })) === 1);
}
