import type { Db } from '../../../kit/db.ts';
import { dayMs } from '../../../kit/duration.ts';
import { processDue } from '../../../kit/process-due.ts';

/** How long deliveries are stored, whether processed or not. */
const retentionMs = 90 * dayMs;
/** The number of rows per statement, few enough to keep row locks short. */
const batchSize = 1_000;

/**
 * Deletes deliveries past the retention period, in batches, and returns their number. The latest delivery of each file
 * is kept until its feed is deleted, because a file without a delivery is new and would be imported again.
 */
export async function pruneFeedDeliveries(
  db: Db,
  { now, signal }: { now: Date; signal?: AbortSignal },
): Promise<number> {
  const before = new Date(now.getTime() - retentionMs);
  const deleteBatch = () => db.prisma.$executeRaw`
    DELETE FROM feed_delivery WHERE ctid = ANY (ARRAY(
      SELECT old.ctid FROM feed_delivery old WHERE old.created_at <= ${before} AND NOT EXISTS (
        SELECT FROM (
          SELECT max(d.id) AS id FROM bank_feed f JOIN feed_delivery d ON d.feed_id = f.id
          WHERE f.kind IN ('folder', 'sftp') AND f.deleted_at IS NULL AND d.file_modified_at IS NOT NULL
          GROUP BY d.feed_id, d.file_name
        ) latest WHERE latest.id = old.id)
      ORDER BY old.created_at LIMIT ${batchSize}))
      AND created_at <= ${before}`;
  return processDue({ batchSize, signal }, deleteBatch);
}
