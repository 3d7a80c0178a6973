import type { Db } from './db.ts';
import { type PgClient, withPgTransaction } from './with-pg-transaction.ts';

/** Reads that see one moment, on a connection of their own: nothing can be written. */
export function readSnapshot<T>(db: Pick<Db, 'pool'>, read: (tx: PgClient) => Promise<T>): Promise<T> {
  return withPgTransaction(db, read, 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
}
