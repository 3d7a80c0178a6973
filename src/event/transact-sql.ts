import type { Db } from '../kit/db.ts';
import { createSql, type Sql } from '../kit/sql.ts';
import { withPgTransaction } from '../kit/with-pg-transaction.ts';
import type { EventInput } from './event-row.ts';
import { isUnitOfWork, transact, type UnitOfWork } from './unit-of-work.ts';

/** What plain SQL needs of a unit of work: a UnitOfWork is one, whose transaction is Prisma's. */
export type SqlUnitOfWork = Pick<UnitOfWork, 'afterCommit' | 'announce'> & {
  tx: Sql;
  /** Left out where nothing else is recorded before: events are then written at once. */
  events?: EventInput[];
};

/**
 * A transaction of plain SQL: a part of the caller's where `db` is a unit of work, else one on a connection of the
 * driver's. `first` are the statements that it begins with.
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
