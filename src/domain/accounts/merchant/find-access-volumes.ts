import type { Tx } from '../../../kit/db.ts';

/** What each of the last months must have brought for access to be granted at once: USD 2,000,000, in cents. */
const requiredVolumeCents = 200_000_000n;
const requiredMonths = 6;

/** What a merchant's live charges came to in one calendar month, UTC. In US cents. */
export type MonthVolume = {
  /** `YYYY-MM`. */
  month: string;
  volumeCents: bigint;
  /** What is missing to the volume that is needed; zero where nothing is. */
  missingCents: bigint;
};

/**
 * The completed volume of each of the last six full calendar months, the oldest first. A charge counts in the month in
 * which it completed (`completedAt`), by UTC as all filters do, so that no setting of the merchant moves it, with its
 * merchant amount in USD at the rate of its creation; one that had no rate does not count. Refunds are not taken off.
 */
export async function findAccessVolumes(
  db: { prisma: Tx },
  options: { merchantId: string; now: Date },
): Promise<MonthVolume[]> {
  const starts = getMonthStarts(options.now);
  const end = starts.at(-1) as Date;
  const rows = await db.prisma.$queryRaw<{ month: string; cents: string }[]>`
    SELECT to_char(completed_at AT TIME ZONE 'UTC', 'YYYY-MM') AS month, sum(usd_amount)::text AS cents
    FROM charge
    WHERE merchant_id = ${options.merchantId} AND mode = 'live' AND status = 'completed'
      AND completed_at >= ${starts[0]} AND completed_at < ${end} AND usd_amount IS NOT NULL
    GROUP BY 1`;
  const cents = new Map(rows.map((row) => [row.month, BigInt(row.cents)]));
  return starts.slice(0, -1).map((start) => {
    const month = start.toISOString().slice(0, 7);
    const volumeCents = cents.get(month) ?? 0n;
    const shortfall = requiredVolumeCents - volumeCents;
    return { month, volumeCents, missingCents: shortfall > 0n ? shortfall : 0n };
  });
}

/** The beginnings of the last six full months and of the present one. */
function getMonthStarts(now: Date): Date[] {
  return Array.from(
    { length: requiredMonths + 1 },
    (_, i) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - requiredMonths + i)),
  );
}
