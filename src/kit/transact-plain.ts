import type { Db } from './db.ts';
import { retryDeadlocks } from './retry-deadlocks.ts';
import type { Queryable } from './with-client.ts';

/** A connection inside a transaction, past Prisma. */
export type PlainTx = Queryable;

/**
 * As `transact`, with the driver alone: for the few transactions whose time counts, since each statement of Prisma's
 * costs a millisecond. `first` is SQL that is sent with the BEGIN, such as a lock. All of `work` or nothing; after a
 * deadlock it runs again.
 */
export function transactPlain<T>(
  db: Pick<Db, 'pool'>,
  work: (tx: PlainTx) => Promise<T>,
  first = '',
): Promise<T> {
  return retryDeadlocks(() => transactOnce(db, work, first));
}

async function transactOnce<T>(
  { pool }: Pick<Db, 'pool'>,
  work: (tx: PlainTx) => Promise<T>,
  first: string,
): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query(`BEGIN; ${first}`);
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
