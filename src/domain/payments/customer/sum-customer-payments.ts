import { toSql } from '../../../event/transact-sql.ts';
import type { Db } from '../../../kit/db.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';

/** `paid` and `refunded` are in minor units of `currency`. */
export type CustomerTotal = { currency: string; chargeCount: number; paid: bigint; refunded: bigint };

/**
 * Returns the sums of completed charges and of their completed refunds by customer ID: one for each currency,
 * the currency with most charges first.
 */
export async function sumCustomerPayments(
  db: Db,
  { merchantId, mode, ids }: MerchantScope & { ids: readonly string[] },
): Promise<Map<string, CustomerTotal[]>> {
  const rows = await toSql(db).$queryRawUnsafe<
    (Record<'count' | 'paid' | 'refunded', { toString(): string }> & { currency: string; customer: string })[]
  >(sumsSql, merchantId, mode, [...ids]);
  const totals = rows.map(({ customer, currency, count, paid, refunded }) => ({
    customer,
    currency,
    chargeCount: Number(count),
    paid: BigInt(paid.toString()),
    refunded: BigInt(refunded.toString()),
  }));
  return Map.groupBy(totals, ({ customer }) => customer);
}

/**
 * A charge that the sandbox completed without a transfer is summed with its full amount, as in
 * `collectedMinorSql`.
 */
const sumsSql = `
  SELECT charge.customer_id AS customer, charge.customer_currency AS currency, count(*) AS count,
    sum(CASE charge.completed_by WHEN 'transfer' THEN charge.amount_received ELSE charge.customer_amount END)::bigint AS paid,
    coalesce(sum((SELECT sum(refund.customer_amount) FROM refund
      WHERE refund.charge_id = charge.id AND refund.status = 'completed')), 0)::bigint AS refunded
  FROM charge
  WHERE charge.merchant_id = $1 AND charge.mode = $2::mode AND charge.customer_id = ANY($3) AND charge.status = 'completed'
  GROUP BY charge.customer_id, charge.customer_currency ORDER BY count(*) DESC, charge.customer_currency`;
