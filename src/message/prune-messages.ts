import type { Db } from '../kit/db.ts';
import { dayMs } from '../kit/duration.ts';
import { processDue } from '../kit/process-due.ts';

/** Messages are kept so long after they were made, unless they are still to be sent. */
const retentionMs = 90 * dayMs;
/** Rows a statement: short enough to hold nobody up. */
const batchSize = 5_000;

/** Deletes the messages that have been kept long enough, batch by batch; answers how many. */
export async function pruneMessages(db: Db, options: { now: Date; signal?: AbortSignal }): Promise<number> {
  const cutoff = new Date(options.now.getTime() - retentionMs);
  const deleteBatch = () => db.prisma.$executeRaw`
    DELETE FROM message WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM message WHERE created_at < ${cutoff} AND status <> 'pending'
      ORDER BY created_at LIMIT ${batchSize})) AND status <> 'pending'`;
  return processDue({ batchSize, signal: options.signal }, deleteBatch);
}
