import type { Db } from '../../../kit/db.ts';
import { dayMs } from '../../../kit/duration.ts';
import { processDue } from '../../../kit/process-due.ts';

/** How long deliveries are stored, whether processed or not. */
const retentionMs = 90 * dayMs;
/** The number of rows per statement, few enough to keep row locks short. */
const batchSize = 1_000;

/** Deletes deliveries past the retention period, in batches. Returns their number. */
export async function pruneFeedDeliveries(
  db: Db,
  { now, signal }: { now: Date; signal?: AbortSignal },
): Promise<number> {
  const before = new Date(now.getTime() - retentionMs);
  const deleteBatch = () => db.prisma.$executeRaw`
    DELETE FROM feed_delivery WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM feed_delivery WHERE created_at <= ${before} ORDER BY created_at LIMIT ${batchSize}))
      AND created_at <= ${before}`;
  return processDue({ batchSize, signal }, deleteBatch);
}
