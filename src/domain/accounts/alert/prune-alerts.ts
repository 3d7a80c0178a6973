import type { Db } from '../../../kit/db.ts';
import { dayMs } from '../../../kit/duration.ts';

/** Alerts are stored as long as the notifications that some of them refer to. */
const retentionMs = 90 * dayMs;

/** Deletes emailed alerts past the retention period. Returns the number of deleted alerts. */
export async function pruneAlerts(db: Db, options: { now: Date }): Promise<number> {
  const before = new Date(options.now.getTime() - retentionMs);
  const { count } = await db.prisma.alert.deleteMany({
    where: { createdAt: { lt: before }, mailedAt: { not: null } },
  });
  return count;
}
