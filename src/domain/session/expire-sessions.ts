import { type Db, type Tx, transact } from '../../kit/db.ts';
import { inBatches } from '../../kit/in-batches.ts';
import { inSweep, type SweepTime } from '../test-clock/sweep-clocks.ts';
import { transitionSession } from './transition-session.ts';

const batchSize = 200;

/** Moves every due session to `expired`, in batches that several workers may share; answers how many. */
export async function expireSessions(db: Db, time: SweepTime): Promise<number> {
  return inBatches(batchSize, () => transact(db, (tx) => expireBatch(tx, time)));
}

async function expireBatch(tx: Tx, time: SweepTime): Promise<number> {
  const { now } = time;
  const due = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM checkout_session WHERE status IN ('created', 'initiated') AND expires_at < ${now} AND ${inSweep(time)}
    ORDER BY expires_at LIMIT ${batchSize} FOR UPDATE SKIP LOCKED`;
  const sessions = await tx.checkoutSession.findMany({ where: { id: { in: due.map((row) => row.id) } } });
  for (const session of sessions) {
    await transitionSession(tx, session, 'expired', { now, actor: 'job:expire-sessions' });
  }
  return sessions.length;
}
