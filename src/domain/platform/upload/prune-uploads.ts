import type { Db } from '../../../kit/db.ts';
import { processDue } from '../../../kit/process-due.ts';

/** The number of files per statement. It is small, because each file may be large. */
const batchSize = 10;

/**
 * Deletes files that were not imported in time, and incomplete files of killed processes. Returns the number
 * of deleted files.
 */
export async function pruneUploads(db: Db, options: { now: Date; signal: AbortSignal }): Promise<number> {
  const deleteBatch = () => db.prisma.$executeRaw`
    DELETE FROM upload WHERE id IN (SELECT id FROM upload WHERE expires_at <= ${options.now} LIMIT ${batchSize})
      AND expires_at <= ${options.now}`;
  return processDue({ batchSize, signal: options.signal }, deleteBatch);
}
