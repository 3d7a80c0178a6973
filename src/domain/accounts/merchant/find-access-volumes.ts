import type { Tx } from '../../../kit/db.ts';

/** The volume that each of the last months must reach for immediate access: USD 2,000,000, in cents. */
const requiredVolumeCents = 200_000_000n;
const requiredMonths = 6;

/** A merchant's completed live volume in one calendar month, UTC, in US cents. */
export type MonthVolume = {
  /** `YYYY-MM`. */
  month: string;
  volumeCents: bigint;
  /** How far the volume is below the required one; zero if it is not. */
  shortfallCents: bigint;
};

/**
 * Returns the completed volume of each of the last six full calendar months, oldest first. A charge belongs to the
 * month of its `completedAt` in UTC, so that the merchant's time zone does not affect the volume. Merchant amounts are
 * converted at the exchange rates when the charges were created; a charge without a rate to USD is ignored. Refunds are
 * not deducted.
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
    return { month, volumeCents, shortfallCents: shortfall > 0n ? shortfall : 0n };
  });
}

/** Returns the starts of the last six full months and of the current one. */
function getMonthStarts(now: Date): Date[] {
  return Array.from(
    { length: requiredMonths + 1 },
    (_, i) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - requiredMonths + i)),
  );
}
