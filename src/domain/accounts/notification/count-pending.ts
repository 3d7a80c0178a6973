import type { Db } from '../../../kit/db.ts';

/**
 * How many notifications wait for each of these webhooks. In SQL: the index of what is pending is found by the word
 * itself, not by a value that Prisma sends.
 */
export async function countPending(
  { prisma }: Pick<Db, 'prisma'>,
  webhookIds: string[],
): Promise<Map<string, number>> {
  const counts = await prisma.$queryRaw<{ queueKey: string; pending: number }[]>`
    SELECT queue_key AS "queueKey", count(*)::int AS pending FROM notification
    WHERE queue_key = ANY (${webhookIds}) AND status = 'pending' GROUP BY queue_key`;
  return new Map(counts.map(({ queueKey, pending }) => [queueKey, pending]));
}
