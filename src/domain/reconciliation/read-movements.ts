import type { Mode } from '../../../prisma/client/client.ts';
import type { Db } from '../../kit/db.ts';

/** Minor units. `before`: what stood at the beginning. */
export type Sums = {
  before: bigint;
  received: bigint;
  matched: bigint;
  partial: bigint;
  exceptions: bigint;
  returned: bigint;
  refunded: bigint;
  otherOutgoing: bigint;
};

/** Moments bound what carries a time; days (at midnight UTC, as such transfers are kept) what carries only a date. */
type Span = { merchantId: string; mode: Mode; start: Date; end: Date; firstDay: Date; dayAfter: Date };

const names = [
  'before',
  'received',
  'matched',
  'partial',
  'exceptions',
  'returned',
  'refunded',
  'otherOutgoing',
] as const satisfies readonly (keyof Sums)[];

/** Sums by account and currency, in one snapshot; the transfers are read from an index that holds all of it. */
export async function readMovements(
  db: Db,
  span: Span,
): Promise<(Sums & { accountId: string; currency: string })[]> {
  const { merchantId, mode, start, end, firstDay, dayAfter } = span;
  const { rows } = await db.pool.query<Record<'account' | 'currency' | (typeof names)[number], string>>(sql, [
    merchantId,
    mode,
    start,
    end,
    firstDay,
    dayAfter,
  ]);
  return rows.map(({ account, currency, ...sums }) => ({
    accountId: account,
    currency,
    ...(Object.fromEntries(names.map((name) => [name, BigInt(sums[name])])) as Sums),
  }));
}

/** What was returned is kept by the transfer it came with; a payout counts on its own day. */
const sql = `
WITH returned AS MATERIALIZED (
  SELECT transfer_id, sum(amount) AS amount FROM allocation
  WHERE charge_id IS NULL AND refund_id IS NULL AND merchant_id = $1 AND mode = $2::mode
  GROUP BY transfer_id HAVING sum(amount) <> 0
), credits AS (
  SELECT t.receiving_account_id AS account, t.currency, t.status, t.amount, t.allocated,
    coalesce(r.amount, 0) AS returned,
    t.paid_at < CASE WHEN t.paid_at_is_date THEN $5::timestamptz ELSE $3::timestamptz END AS is_before
  FROM transfer t LEFT JOIN returned r ON r.transfer_id = t.id
  WHERE t.merchant_id = $1 AND t.mode = $2::mode AND t.direction = 'credit' AND t.status <> 'duplicate'
    AND t.paid_at < greatest($4::timestamptz, $6::timestamptz)
    AND t.paid_at < CASE WHEN t.paid_at_is_date THEN $6::timestamptz ELSE $4::timestamptz END
), payouts AS (
  SELECT p.receiving_account_id AS account, p.currency, p.amount,
    p.paid_at < CASE WHEN t.paid_at_is_date THEN $5::timestamptz ELSE $3::timestamptz END AS is_before
  FROM refund_payout p LEFT JOIN transfer t ON t.id = p.transfer_id
  WHERE p.merchant_id = $1 AND p.mode = $2::mode
    AND p.paid_at < CASE WHEN t.paid_at_is_date THEN $6::timestamptz ELSE $4::timestamptz END
), others AS (
  SELECT t.receiving_account_id AS account, t.currency, t.amount FROM transfer t
  WHERE t.merchant_id = $1 AND t.mode = $2::mode AND t.direction = 'debit' AND t.status <> 'duplicate'
    AND t.reverses_id IS NULL AND NOT EXISTS (SELECT 1 FROM refund_payout p WHERE p.transfer_id = t.id)
    AND t.paid_at >= least($3::timestamptz, $5::timestamptz) AND t.paid_at < greatest($4::timestamptz, $6::timestamptz)
    AND t.paid_at < CASE WHEN t.paid_at_is_date THEN $6::timestamptz ELSE $4::timestamptz END
    AND t.paid_at >= CASE WHEN t.paid_at_is_date THEN $5::timestamptz ELSE $3::timestamptz END
), movements (account, currency, before, received, matched, partial, exceptions, returned, refunded, other) AS (
  SELECT account, currency,
    coalesce(sum(amount - returned) FILTER (WHERE is_before), 0),
    coalesce(sum(amount) FILTER (WHERE NOT is_before), 0),
    coalesce(sum(allocated - returned) FILTER (WHERE NOT is_before AND status <> 'partial'), 0),
    coalesce(sum(allocated - returned) FILTER (WHERE NOT is_before AND status = 'partial'), 0),
    coalesce(sum(amount - allocated) FILTER (WHERE NOT is_before), 0),
    coalesce(sum(returned) FILTER (WHERE NOT is_before), 0), 0, 0
  FROM credits GROUP BY account, currency
  UNION ALL SELECT account, currency, -coalesce(sum(amount) FILTER (WHERE is_before), 0), 0, 0, 0, 0, 0,
    coalesce(sum(amount) FILTER (WHERE NOT is_before), 0), 0
  FROM payouts GROUP BY account, currency
  UNION ALL SELECT account, currency, 0, 0, 0, 0, 0, 0, 0, sum(amount) FROM others GROUP BY account, currency
)
SELECT account, currency, sum(before) AS before, sum(received) AS received, sum(matched) AS matched,
  sum(partial) AS partial, sum(exceptions) AS exceptions, sum(returned) AS returned, sum(refunded) AS refunded,
  sum(other) AS "otherOutgoing"
FROM movements GROUP BY account, currency ORDER BY account, currency`;
