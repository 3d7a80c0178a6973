import { expect } from 'vitest';
import { type Db, type Tx, transact } from '../../src/kit/db.ts';

/** How many wait for a lock in the database. */
export async function waitingForLocks({ pool }: Pick<Db, 'pool'>): Promise<number> {
  const { rows } = await pool.query(
    `SELECT count(*)::int AS waiting FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows[0].waiting;
}

/** Until each of what has begun waits for a lock, or has ended. */
export async function untilWaiting(db: Pick<Db, 'pool'>, begun: readonly Promise<unknown>[]): Promise<void> {
  let ended = 0;
  const end = () => {
    ended++;
  };
  for (const one of begun) void one.then(end, end);
  await expect.poll(async () => ended + (await waitingForLocks(db))).toBeGreaterThanOrEqual(begun.length);
}

/**
 * Begins the others while a transaction has made the change and not committed it; it commits once each of them waits for
 * a lock, or has ended. Gives what comes of them.
 */
export async function beside<Ends extends unknown[]>(
  db: Db,
  change: (tx: Tx) => Promise<unknown>,
  ...others: { [Nth in keyof Ends]: () => Promise<Ends[Nth]> }
): Promise<Ends> {
  const begun = await transact(db, async (tx) => {
    await change(tx);
    const promises = others.map((other) => other());
    await untilWaiting(db, promises);
    return promises;
  });
  return (await Promise.all(begun)) as Ends;
}
