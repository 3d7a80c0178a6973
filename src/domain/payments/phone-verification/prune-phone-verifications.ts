import type { Db } from '../../../kit/db.ts';
import { dayMs } from '../../../kit/duration.ts';
import { processDue } from '../../../kit/process-due.ts';

/** How long phone verifications are stored; their codes are valid for only five minutes. */
const retentionMs = dayMs;
/** The number of rows per statement, few enough to keep row locks short. */
const batchSize = 5_000;

/** Deletes phone verifications older than a day in batches. Returns the number of deleted rows. */
export async function prunePhoneVerifications(
  db: Db,
  options: { now: Date; signal?: AbortSignal },
): Promise<number> {
  const before = new Date(options.now.getTime() - retentionMs);
  const deleteBatch = () => db.prisma.$executeRaw`
    DELETE FROM phone_verification WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM phone_verification WHERE created_at < ${before} ORDER BY created_at LIMIT ${batchSize}))`;
  return processDue({ batchSize, signal: options.signal }, deleteBatch);
}
