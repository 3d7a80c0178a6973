import { transact } from '../../../event/unit-of-work.ts';
import type { Db } from '../../../kit/db.ts';
import { isOfRunningMerchant } from '../../../kit/running-merchants.ts';
import { deleteExports } from './delete-exports.ts';

/**
 * Deletes expired files one at a time until `signal` aborts. Returns the number of deleted files. Never
 * deletes exports that are not finished.
 */
export async function pruneExports(db: Db, options: { now: Date; signal?: AbortSignal }): Promise<number> {
  const { now, signal } = options;
  for (let count = 0; ; ) {
    const [next] = await db.prisma.$queryRaw<{ id: string }[]>`
      SELECT id FROM export WHERE expires_at <= ${now} AND status IN ('completed', 'failed') AND ${isOfRunningMerchant}
      ORDER BY expires_at LIMIT 1`;
    if (!next || signal?.aborted) return count;
    count += await transact(db, ({ tx }) => deleteExports(tx, { id: next.id }));
  }
}
