import type { Db } from '../../../kit/db.ts';
import { processDue } from '../../../kit/process-due.ts';

/** Rows per statement; small, so that locks are short. */
const batchSize = 5_000;

/** Deletes expired responses in batches and returns their number. */
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
