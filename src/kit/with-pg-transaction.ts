import type { Db } from './db.ts';
import { retryDeadlocks } from './retry-deadlocks.ts';
import type { Queryable } from './with-client.ts';

/** A connection inside a transaction, past Prisma. */
export type PgClient = Queryable;

/**
 * As `transact`, with the driver alone: for the few transactions whose time counts, since each statement of Prisma's
 * costs a millisecond. `first` is SQL that is sent with the BEGIN, such as a lock. All of `work` or nothing; after a
 * deadlock it runs again.
 */
export function withPgTransaction<T>(
  db: Pick<Db, 'pool'>,
  work: (tx: PgClient) => Promise<T>,
  setupSql = '',
): Promise<T> {
  return retryDeadlocks(() => runTransaction(db, work, setupSql));
}

async function runTransaction<T>(
  { pool }: Pick<Db, 'pool'>,
  work: (tx: PgClient) => Promise<T>,
  setupSql: string,
): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query(`BEGIN; ${setupSql}`);
    const value = await work(client);
    // PostgreSQL answers the COMMIT of a failed transaction with a rollback, not with an error.
    const { command } = await client.query('COMMIT');
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back because a statement failed');
    client.release();
    return value;
  } catch (error) {
    // A connection that cannot roll back is in an unknown state, and is not used again.
    await client.query('ROLLBACK').then(
      () => client.release(),
      () => client.release(true),
    );
    throw error;
  }
}
