import type { Db } from '../kit/db.ts';
import { dayMs } from '../kit/duration.ts';
import { processDue } from '../kit/process-due.ts';

/** Messages are deleted this long after creation, unless they are still pending. */
const retentionMs = 90 * dayMs;
/** The number of messages per batch, few enough to keep row locks short. */
const batchSize = 5_000;

/** Deletes expired messages in batches. Returns the number of deleted messages. */
export async function pruneMessages(db: Db, options: { now: Date; signal?: AbortSignal }): Promise<number> {
  const cutoff = new Date(options.now.getTime() - retentionMs);
  const deleteBatch = () => db.prisma.$executeRaw`
    DELETE FROM message WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM message WHERE created_at < ${cutoff} AND status <> 'pending'
      ORDER BY created_at LIMIT ${batchSize})) AND status <> 'pending'`;
  return processDue({ batchSize, signal: options.signal }, deleteBatch);
}
