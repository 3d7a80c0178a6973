import type { Db } from '../../../kit/db.ts';

/**
 * Returns the number of pending notifications by webhook ID, without webhooks that have none. Uses raw SQL,
 * because PostgreSQL uses the partial index on pending notifications only for the literal 'pending', and Prisma
 * would send a parameter.
 */
export async function countPendingNotifications(
  { prisma }: Pick<Db, 'prisma'>,
  webhookIds: string[],
): Promise<Map<string, number>> {
  const counts = await prisma.$queryRaw<{ queueKey: string; pending: number }[]>`
    SELECT queue_key AS "queueKey", count(*)::int AS pending FROM notification
    WHERE queue_key = ANY (${webhookIds}) AND status = 'pending' GROUP BY queue_key`;
  return new Map(counts.map(({ queueKey, pending }) => [queueKey, pending]));
}
