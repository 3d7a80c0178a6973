import type { Db } from '../../../kit/db.ts';

/**
 * After this many entries, the statistics of PostgreSQL's planner are updated, because outdated statistics
 * lead to sequential scans.
 */
const analyzeThresholds = [1_000, 4_000, 16_000, 64_000];

/** Updates the statistics if an import has passed a threshold. */
export async function analyzeTransfers(
  { prisma }: Db,
  { before, after }: { before: number; after: number },
): Promise<void> {
  if (analyzeThresholds.some((threshold) => before < threshold && threshold <= after))
    await prisma.$executeRaw`ANALYZE transfer`;
}
