import { Prisma } from '../../../../prisma/client/client.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import type { Money } from '../../../kit/money.ts';
import type { StaleReads } from '../../../kit/stale-reads.ts';

export type CollectedSum = { money: Money; charges: number };

/**
 * The collected amount of a completed charge: the requested amount if the sandbox completed it without a transfer,
 * otherwise the amount received net of reversals.
 */
export const collectedMinorSql = Prisma.sql`CASE WHEN completed_by = 'sandbox' THEN customer_amount ELSE amount_received END`;

/** Sums completed charges from `from` (inclusive) to `to` (exclusive), one sum for each currency paid. */
export async function sumCollected(
  { stale }: StaleReads,
  options: MerchantScope & { from: Date; to?: Date | undefined },
): Promise<CollectedSum[]> {
  const { merchantId, mode, from, to = null } = options;
  const rows = await stale.$queryRaw<{ currency: string; minor: string; charges: number }[]>`
    SELECT customer_currency AS currency, count(*)::int AS charges,
      sum(${collectedMinorSql})::text AS minor
    FROM charge
    WHERE merchant_id = ${merchantId} AND mode = ${mode}::mode AND status = 'completed'
      AND completed_at >= ${from} AND (${to}::timestamptz IS NULL OR completed_at < ${to})
    GROUP BY customer_currency ORDER BY customer_currency`;
  return rows.map(({ currency, minor, charges }) => ({ money: { minor: BigInt(minor), currency }, charges }));
}
