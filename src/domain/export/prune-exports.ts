import type { Db } from '../../kit/db.ts';

/** Deletes the files whose time is over, one at a time, until the signal; answers how many. */
export async function pruneExports(db: Db, options: { now: Date; signal?: AbortSignal }): Promise<number> {
  const { now, signal } = options;
  for (let count = 0; ; count++) {
    const next = await db.prisma.export.findFirst({
      where: { expiresAt: { lte: now } },
      select: { id: true },
      orderBy: { expiresAt: 'asc' },
    });
    if (!next || signal?.aborted) return count;
    await db.prisma.export.deleteMany({ where: { id: next.id } });
  }
}
