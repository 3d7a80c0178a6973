import type { Db } from '../../../kit/db.ts';
import { dayMs } from '../../../kit/duration.ts';
import { processDue } from '../../../kit/process-due.ts';

/** Longer than any use of a row: limits look back an hour, codes are valid for five minutes. */
const retentionMs = dayMs;
/** Rows per statement, small enough not to block other transactions. */
const batchSize = 5_000;

/** Deletes phone verifications older than a day in batches. Returns their number. */
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
