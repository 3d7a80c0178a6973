import type { CheckoutSession } from '../../../prisma/client/client.ts';
import { type Db, transact } from '../../kit/db.ts';
import { lockSession } from './lock-session.ts';
import { sessionClosed, sessionStatusAt } from './session-state.ts';
import { transitionSession } from './transition-session.ts';

/**
 * Ends a session that has no charge yet. Errors: `session_not_found`, `session_already_used`, `session_cancelled`,
 * `session_expired`.
 */
export async function cancelSession(
  db: Db,
  options: { id: string; actor: string; now: Date },
): Promise<CheckoutSession> {
  return transact(db, async (tx) => {
    const session = await lockSession(tx, options.id);
    const status = sessionStatusAt(session, options.now);
    if (status !== 'created' && status !== 'initiated') throw sessionClosed(status);
    return transitionSession(tx, session, 'cancelled', options);
  });
}
