import type { Db } from '../../kit/db.ts';

/** As long as the notifications they tell of. */
const keepMs = 90 * 24 * 3_600_000;

/** Deletes the alerts that have been kept long enough; answers how many. */
export async function pruneAlerts(db: Db, options: { now: Date }): Promise<number> {
  const before = new Date(options.now.getTime() - keepMs);
  const { count } = await db.prisma.alert.deleteMany({
    where: { createdAt: { lt: before }, mailedAt: { not: null } },
  });
  return count;
}
