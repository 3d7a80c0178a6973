import type { ChargeStatus } from '../../../../prisma/client/client.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import type { StaleReads } from '../../../kit/stale-reads.ts';
import type { SqlValues } from './charge-conditions.ts';
import { buildTotalSql } from './count-charges.ts';
import type { CollectedSum } from './sum-collected.ts';

/** The metrics of a span of time that need no conversion, and its refunds by currency. */
export type SpanMetrics = {
  from: Date;
  /** Exclusive. */
  before: Date;
  /** The number of charges that were created in the span, by their current status. */
  created: Record<ChargeStatus, number>;
  /** The median time from creation to completion of the newest charges that completed in the span; null for none. */
  medianSecondsToPay: number | null;
  refunds: CollectedSum[];
};

/** The median is computed from at most this many of the newest completed charges. */
const medianRowsMax = 5_000;

const statuses = ['pending', 'completed', 'expired', 'cancelled'] as const satisfies ChargeStatus[];

/** Reads the metrics of a span of time. Each query is bounded, or reads only the span from an index. */
export async function readSpanMetrics(
  { stale, select }: StaleReads,
  scope: MerchantScope,
  { from, before }: { from: Date; before: Date },
): Promise<SpanMetrics> {
  const { merchantId, mode } = scope;
  const values: SqlValues = [];
  const counts = statuses.map((status) => {
    const filter = { statuses: [status], from, until: before };
    return `(${buildTotalSql(values, scope, filter)})::int AS ${status}`;
  });
  const [[created], refunds, [median]] = await Promise.all([
    select<Record<ChargeStatus, number>>(`SELECT ${counts.join(', ')}`, values),
    stale.$queryRaw<{ currency: string; minor: string; count: number }[]>`
      SELECT customer_currency AS currency, sum(customer_amount)::text AS minor, count(*)::int AS count FROM refund
      WHERE merchant_id = ${merchantId} AND mode = ${mode}::mode AND status = 'completed'
        AND completed_at >= ${from} AND completed_at < ${before}
      GROUP BY 1 ORDER BY 1`,
    stale.$queryRaw<{ seconds: number | null }[]>`
      SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM completed_at - created_at))::float8 AS seconds
      FROM (
        SELECT completed_at, created_at FROM charge
        WHERE merchant_id = ${merchantId} AND mode = ${mode}::mode AND status = 'completed'
          AND completed_at >= ${from} AND completed_at < ${before}
        ORDER BY completed_at DESC LIMIT ${medianRowsMax}) newest`,
  ]);
  return {
    from,
    before,
    created: created!,
    refunds: refunds.map(({ currency, minor, count }) => ({
      money: { minor: BigInt(minor), currency },
      charges: count,
    })),
    medianSecondsToPay: median?.seconds ?? null,
  };
}
