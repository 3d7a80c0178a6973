import type { Db } from '../../../kit/db.ts';
import { dayMs } from '../../../kit/duration.ts';

/** As long as notifications, to which alerts refer. */
const retentionMs = 90 * dayMs;

/** Deletes mailed alerts past the retention period. Returns how many. */
export async function pruneAlerts(db: Db, options: { now: Date }): Promise<number> {
  const before = new Date(options.now.getTime() - retentionMs);
  const { count } = await db.prisma.alert.deleteMany({
    where: { createdAt: { lt: before }, mailedAt: { not: null } },
  });
  return count;
}
