import type { Db } from './db.ts';
import { retryDeadlocks } from './retry-deadlocks.ts';
import type { Queryable } from './with-client.ts';

/**
 * Runs `work` in a transaction of the driver, because Prisma adds about a millisecond to each statement. `setupSql`,
 * such as a lock, is sent together with BEGIN. Retries after a deadlock, so `work` may run more than once.
 */
export function withPgTransaction<T>(
  db: Pick<Db, 'pool'>,
  work: (tx: Queryable) => Promise<T>,
  setupSql = '',
): Promise<T> {
  return retryDeadlocks(() => runTransaction(db, work, setupSql));
}

async function runTransaction<T>(
  { pool }: Pick<Db, 'pool'>,
  work: (tx: Queryable) => Promise<T>,
  setupSql: string,
): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query(`BEGIN; ${setupSql}`);
    const value = await work(client);
    // PostgreSQL responds to the COMMIT of a failed transaction with ROLLBACK, not with an error.
    const { command } = await client.query('COMMIT');
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back because a statement failed');
    client.release();
    return value;
  } catch (error) {
    // A connection that cannot roll back is in an unknown state, so it is destroyed.
    await client.query('ROLLBACK').then(
      () => client.release(),
      () => client.release(true),
    );
    throw error;
  }
}
