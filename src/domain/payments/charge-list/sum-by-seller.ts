import { Prisma } from '../../../../prisma/client/client.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import type { StaleReads } from '../../../kit/stale-reads.ts';
import { type CollectedSum, collectedMinorSql } from './sum-collected.ts';

/** The sales at the counter by one user in one currency. */
export type SellerMetrics = { sellerId: string; collected: CollectedSum; refundedMinor: bigint };

/**
 * Sums the sales at the counter by seller and currency: the charges that completed in a span of time, and the refunds
 * that completed in it, also of earlier sales. The largest amount comes first.
 */
export async function sumBySeller(
  { stale }: Pick<StaleReads, 'stale'>,
  { merchantId, mode, from, before }: MerchantScope & { from: Date; before: Date },
): Promise<SellerMetrics[]> {
  const isInSpan = (table: 'charge' | 'refund') => {
    const column = (name: string) => Prisma.raw(`${table}.${name}`);
    return Prisma.sql`${column('merchant_id')} = ${merchantId} AND ${column('mode')} = ${mode}::mode
      AND ${column('status')} = 'completed' AND ${column('completed_at')} >= ${from} AND ${column('completed_at')} < ${before}`;
  };
  const isCounterSale = Prisma.sql`session.merchant_id = ${merchantId} AND session.mode = ${mode}::mode
    AND session.seller_id IS NOT NULL`;
  // Each part joins the sessions itself, so that PostgreSQL can start with the few counter sales of a merchant.
  const rows = await stale.$queryRaw<
    { sellerId: string; currency: string; minor: string; charges: number; refunded: string }[]
  >`
    SELECT sale.seller_id AS "sellerId", sale.currency, sum(sale.minor)::text AS minor,
      sum(sale.charges)::int AS charges, sum(sale.refunded)::text AS refunded
    FROM (
      SELECT session.seller_id, customer_currency AS currency, ${collectedMinorSql} AS minor, 1 AS charges, 0 AS refunded
      FROM checkout_session session JOIN charge ON charge.session_id = session.id
      WHERE ${isCounterSale} AND ${isInSpan('charge')}
      UNION ALL
      SELECT session.seller_id, refund.customer_currency, 0, 0, refund.customer_amount
      FROM checkout_session session JOIN charge ON charge.session_id = session.id JOIN refund ON refund.charge_id = charge.id
      WHERE ${isCounterSale} AND ${isInSpan('refund')}) sale
    GROUP BY 1, 2 ORDER BY sum(sale.minor) DESC, 1, 2`;
  return rows.map(({ sellerId, currency, minor, charges, refunded }) => ({
    sellerId,
    collected: { money: { minor: BigInt(minor), currency }, charges },
    refundedMinor: BigInt(refunded),
  }));
}
