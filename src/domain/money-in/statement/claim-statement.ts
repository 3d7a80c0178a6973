import { Prisma, type Statement } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Db } from '../../../kit/db.ts';
import { isLeaseFree } from '../../../kit/lease.ts';
import { isOfRunningMerchant } from '../../../kit/running-merchants.ts';
import { transitionStatement } from './transition-statement.ts';

/**
 * Claims the oldest statement to import or to undo that no process works on, or whose lease has expired; with
 * `id`, only that statement. Claims only one statement per account at a time, because recording locks the
 * account anyway. Returns undefined if there is none.
 */
export async function claimStatement(
  db: Db,
  { id, systemNow }: { id?: string | undefined; systemNow: Date },
): Promise<Statement | undefined> {
  const idFilter = id === undefined ? Prisma.empty : Prisma.sql`AND id = ${id}`;
  return transact(db, async (uow) => {
    const [next] = await uow.tx.$queryRaw<{ id: string }[]>`
      SELECT id FROM statement
      WHERE status IN ('queued', 'running', 'undoing') AND ${isLeaseFree(systemNow)} ${idFilter}
        AND ${isOfRunningMerchant}
        AND NOT EXISTS (
          SELECT 1 FROM statement other WHERE other.receiving_account_id = statement.receiving_account_id
            AND other.status IN ('running', 'undoing') AND other.leased_until > ${systemNow} AND other.id <> statement.id)
      ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`;
    if (!next) return undefined;
    const statement = await uow.tx.statement.findUniqueOrThrow({ where: { id: next.id } });
    const to = statement.status === 'undoing' ? 'undoing' : 'running';
    return transitionStatement(uow, statement, to, { systemNow });
  });
}
