import { expect } from 'vitest';
import { transact, type UnitOfWork } from '../../src/event/unit-of-work.ts';
import type { Db } from '../../src/kit/db.ts';

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
export async function beside<S extends Db, Ends extends unknown[]>(
  service: S,
  change: (uow: UnitOfWork<S>) => Promise<unknown>,
  ...others: { [Nth in keyof Ends]: () => Promise<Ends[Nth]> }
): Promise<Ends> {
  const begun = await transact(service, async (uow) => {
    await change(uow);
    const promises = others.map((other) => other());
    await untilWaiting(service, promises);
    return promises;
  });
  return (await Promise.all(begun)) as Ends;
}
