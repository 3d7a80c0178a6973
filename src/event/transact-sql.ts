import type { Db } from '../kit/db.ts';
import { type Sql, sqlOn } from '../kit/sql.ts';
import { transactPlain } from '../kit/transact-plain.ts';
import type { EventInput } from './event-row.ts';
import { isUnitOfWork, transact, type UnitOfWork } from './unit-of-work.ts';

/** What plain SQL needs of a unit of work: a UnitOfWork is one, whose transaction is Prisma's. */
export type SqlUnit = Pick<UnitOfWork, 'afterCommit' | 'announce'> & {
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
  work: (unit: SqlUnit) => Promise<T>,
  first: readonly string[] = [],
): Promise<T> {
  if (isUnitOfWork(db)) {
    return transact(db, async (uow) => {
      for (const statement of first) await uow.tx.$executeRawUnsafe(statement);
      return work(uow);
    });
  }
  let calls: (() => void)[] = [];
  const run = (client: Parameters<typeof sqlOn>[0]) => {
    calls = [];
    const afterCommit = (call: () => void) => void calls.push(call);
    return work({ tx: sqlOn(client), announce: db.announce, afterCommit });
  };
  const result = await transactPlain(db, run, first.join('; '));
  for (const call of calls) call();
  return result;
}
