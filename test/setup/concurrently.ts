import { expect } from 'vitest';
import { transact, type UnitOfWork } from '../../src/event/unit-of-work.ts';
import type { Db } from '../../src/kit/db.ts';

export async function countLockWaits({ pool }: Pick<Db, 'pool'>): Promise<number> {
  const { rows } = await pool.query(
    `SELECT count(*)::int AS waiting FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows[0].waiting;
}

/** Waits until each operation waits for a lock or has ended. */
export async function waitUntilBlocked(
  db: Pick<Db, 'pool'>,
  operations: readonly Promise<unknown>[],
): Promise<void> {
  let endedCount = 0;
  const countEnd = () => {
    endedCount++;
  };
  for (const operation of operations) void operation.then(countEnd, countEnd);
  await expect
    .poll(async () => endedCount + (await countLockWaits(db)))
    .toBeGreaterThanOrEqual(operations.length);
}

/**
 * Runs `change` in a transaction, starts the operations before its commit, and commits when each of them waits for a
 * lock or has ended. Returns their results.
 */
export async function concurrently<S extends Db, Results extends unknown[]>(
  service: S,
  change: (uow: UnitOfWork<S>) => Promise<unknown>,
  ...operations: { [Index in keyof Results]: () => Promise<Results[Index]> }
): Promise<Results> {
  const pending = await transact(service, async (uow) => {
    await change(uow);
    const promises = operations.map((operation) => operation());
    await waitUntilBlocked(service, promises);
    return promises;
  });
  return (await Promise.all(pending)) as Results;
}
