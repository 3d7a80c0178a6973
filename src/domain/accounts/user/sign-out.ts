import { transact } from '../../../event/unit-of-work.ts';
import type { Db } from '../../../kit/db.ts';
import { sha256 } from '../../../kit/secrets.ts';
import { endSessions } from './end-sessions.ts';

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
