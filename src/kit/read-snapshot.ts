import type { Db } from './db.ts';
import { type PlainTx, transactPlain } from './transact-plain.ts';

/** Reads that see one moment, on a connection of their own: nothing can be written. */
export function readSnapshot<T>(db: Pick<Db, 'pool'>, read: (tx: PlainTx) => Promise<T>): Promise<T> {
  return transactPlain(db, read, 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
}
