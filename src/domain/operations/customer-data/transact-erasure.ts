import { transact, type UnitOfWork } from '../../../event/unit-of-work.ts';
import type { Db, Tx } from '../../../kit/db.ts';

/** Runs the work of one batch in a transaction. */
export type RunBatch = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

/**
 * Like `transact`, but also allows changes of the rows of a merchant that has moved: its customers must be erased here
 * too. The database still rejects changes during the move, when its rows are being compared.
 */
export function transactErasure<T>(
  db: Db,
  merchantId: string,
  work: (uow: UnitOfWork) => Promise<T>,
): Promise<T> {
  return transact(db, async (uow) => {
    await uow.tx.$queryRaw`SELECT set_config('causeway.changes_moving_merchants', 'on', true)
      FROM merchant WHERE id = ${merchantId} AND move_status = 'moved'`;
    return work(uow);
  });
}
