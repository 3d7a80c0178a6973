import type { Db } from '../kit/db.ts';
import { createSql, type Sql } from '../kit/sql.ts';
import { withPgTransaction } from '../kit/with-pg-transaction.ts';
import type { EventInput } from './event-row.ts';
import { isUnitOfWork, transact, type UnitOfWork } from './unit-of-work.ts';

/** The part of a unit of work that plain SQL needs. A `UnitOfWork` can be passed too, because `Tx` extends `Sql`. */
export type SqlUnitOfWork = Pick<UnitOfWork, 'afterCommit' | 'announce'> & {
  tx: Sql;
  /** The pending events. Undefined outside of a unit of work, where events are written immediately. */
  events?: EventInput[];
};

/**
 * Runs plain SQL in a transaction: a savepoint if `db` is a unit of work, otherwise a new transaction on a
 * driver connection. `initialStatements` run first.
 */
export async function transactSql<T>(
  db: Db,
  work: (uow: SqlUnitOfWork) => Promise<T>,
  initialStatements: readonly string[] = [],
): Promise<T> {
  if (isUnitOfWork(db)) {
    return transact(db, async (uow) => {
      for (const statement of initialStatements) await uow.tx.$executeRawUnsafe(statement);
      return work(uow);
    });
  }
  let callbacks: (() => void)[] = [];
  const run = (client: Parameters<typeof createSql>[0]) => {
    callbacks = [];
    const afterCommit = (callback: () => void) => void callbacks.push(callback);
    return work({ tx: createSql(client), announce: db.announce, afterCommit });
  };
  const result = await withPgTransaction(db, run, initialStatements.join('; '));
  for (const callback of callbacks) callback();
  return result;
}

/** Returns access for plain SQL that reads: in the transaction of a unit of work, otherwise with the pool. */
export function toSql(db: Db): Sql {
  return isUnitOfWork(db) ? db.tx : createSql(db.pool);
}
