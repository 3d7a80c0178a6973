import { dayMs } from '../../../kit/duration.ts';
import type { StaleReads } from '../../../kit/stale-reads.ts';

const periodMs = 30 * dayMs;

/** The live charges of a merchant, for operators. */
export type MerchantActivity = {
  /** Charges that completed in the last 30 days. */
  chargeCount: number;
  /** Their volume in US cents, as for restricted access: a charge without a USD rate is ignored. */
  volumeCents: bigint;
  /** Null if the merchant has none. */
  lastChargeAt: Date | null;
};

/** Returns the activity of each merchant. Reads the index range of 30 days, and the newest charge of each. */
export async function findActivities(
  reads: StaleReads,
  { merchantIds, now }: { merchantIds: readonly string[]; now: Date },
): Promise<Map<string, MerchantActivity>> {
  const rows = await reads.select<{ id: string; count: number; cents: string; newest: Date | null }>(
    `SELECT merchant.id, recent.*, newest.created_at AS newest FROM unnest($1::text[]) AS merchant (id)
       CROSS JOIN LATERAL (SELECT count(*)::int, coalesce(sum(usd_amount), 0)::text AS cents FROM charge
         WHERE merchant_id = merchant.id AND mode = 'live' AND status = 'completed' AND completed_at >= $2) AS recent
       LEFT JOIN LATERAL (SELECT created_at FROM charge
         WHERE merchant_id = merchant.id AND mode = 'live' ORDER BY charge.id DESC LIMIT 1) AS newest ON true`,
    [merchantIds, new Date(now.getTime() - periodMs)],
  );
  return new Map(
    rows.map(({ id, count, cents, newest }) => [
      id,
      { chargeCount: count, volumeCents: BigInt(cents), lastChargeAt: newest },
    ]),
  );
}
