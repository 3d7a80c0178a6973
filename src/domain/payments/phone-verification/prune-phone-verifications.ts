import type { Db } from '../../../kit/db.ts';
import { dayMs } from '../../../kit/duration.ts';
import { processDue } from '../../../kit/process-due.ts';

/** Longer than anything looks back: limits an hour, codes five minutes. */
const retentionMs = dayMs;
/** Rows a statement: short enough to hold nobody up. */
const batchSize = 5_000;

/** Deletes phone verifications of more than a day ago, batch by batch; answers how many. */
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
