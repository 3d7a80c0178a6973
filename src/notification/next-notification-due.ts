import type { Db } from '../kit/db.ts';

/**
 * When the next notification falls due, which may be past; null when none waits. One whose claim ran out, because its
 * process was killed, is not told of here: a sweep finds it.
 */
export async function nextNotificationDue(db: Db): Promise<Date | null> {
  const next = await db.prisma.notification.findFirst({
    where: { status: 'pending', claimedUntil: null, nextAttemptAt: { not: null } },
    orderBy: { nextAttemptAt: 'asc' },
    select: { nextAttemptAt: true },
  });
  return next?.nextAttemptAt ?? null;
}
