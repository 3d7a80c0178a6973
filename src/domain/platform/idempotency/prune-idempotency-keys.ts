import type { Db } from '../../../kit/db.ts';
import { processDue } from '../../../kit/process-due.ts';

/** Rows a statement: short enough to hold nobody up. */
const batchSize = 5_000;

/** Deletes the answers that have been kept long enough, batch by batch; answers how many. */
export async function pruneIdempotencyKeys(
  db: Db,
  options: { now: Date; signal?: AbortSignal },
): Promise<number> {
  const deleteBatch = () => db.prisma.$executeRaw`
    DELETE FROM idempotency_key WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM idempotency_key WHERE expires_at <= ${options.now} ORDER BY expires_at LIMIT ${batchSize}))
      AND expires_at <= ${options.now}`;
  return processDue({ batchSize, signal: options.signal }, deleteBatch);
}
