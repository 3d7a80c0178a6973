import type { Db } from '../../../kit/db.ts';
import { processDue } from '../../../kit/process-due.ts';

/** The number of rows per statement, few enough to keep row locks short. */
const batchSize = 5_000;

/** Deletes expired responses in batches. Returns the number of deleted responses. */
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
