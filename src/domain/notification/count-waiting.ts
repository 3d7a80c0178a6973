import type { Db } from '../../kit/db.ts';

/**
 * How many notifications wait for each of these webhooks. In SQL: the index of what is pending is found by the word
 * itself, not by a value that Prisma sends.
 */
export async function countWaiting(
  { prisma }: Pick<Db, 'prisma'>,
  webhookIds: string[],
): Promise<Map<string, number>> {
  const counts = await prisma.$queryRaw<{ lane: string; waiting: number }[]>`
    SELECT lane, count(*)::int AS waiting FROM notification
    WHERE lane = ANY (${webhookIds}) AND status = 'pending' GROUP BY lane`;
  return new Map(counts.map(({ lane, waiting }) => [lane, waiting]));
}
