import type { Db } from './db.ts';
import type { Queryable } from './with-client.ts';
import { withPgTransaction } from './with-pg-transaction.ts';

/** Runs reads in one read-only snapshot, on a separate connection. */
export function readSnapshot<T>(db: Pick<Db, 'pool'>, read: (tx: Queryable) => Promise<T>): Promise<T> {
  return withPgTransaction(db, read, 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
}
