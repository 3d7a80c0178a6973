import { checkDayRange } from '../../../kit/check-day-range.ts';
import type { StaleReads } from '../../../kit/stale-reads.ts';
import { type BookPeriod, toPostingParameters } from './book-period.ts';
import { postingsSql } from './postings-sql.ts';

export type BookGrouping = 'day' | 'month' | 'period';

/**
 * The totals of one currency in a day, a month or the whole range, in minor units:
 *   net = sales + deposits + otherIncome + unmatched − refunds − fees
 * `returned` is money that was received and paid back; it is part of no other amount.
 */
export type BookTotals = {
  /** The first day, limited to the range. */
  startDate: string;
  currency: string;
  /** The number of charges that received money as sales. */
  chargeCount: number;
  /** The amount that customers paid for paid charges, including fees that banks deducted. */
  sales: bigint;
  /** The amount that customers paid for charges that are not fully paid. */
  deposits: bigint;
  /** Refunds paid out, less returned ones. */
  refunds: bigint;
  /** Fees that banks deducted from payments or batches. */
  fees: bigint;
  otherIncome: bigint;
  unmatched: bigint;
  returned: bigint;
  net: bigint;
};

const sumNames = [
  'sales',
  'deposits',
  'refunds',
  'fees',
  'otherIncome',
  'unmatched',
  'returned',
  'net',
] as const;

const groupStarts: Record<BookGrouping, string> = {
  day: 'day',
  month: `greatest(date_trunc('month', day)::date, $8::date)`,
  period: '$8::date',
};

/** Returns the totals by time and currency, newest first. Error: `invalid_request`. */
export async function sumBooks(
  reads: StaleReads,
  { grouping, ...period }: BookPeriod & { grouping: BookGrouping },
): Promise<BookTotals[]> {
  checkDayRange(period);
  const sum = (account: string, sign: '' | '-', condition = 'true') =>
    `coalesce(sum(${sign}amount) FILTER (WHERE account = '${account}' AND ${condition}), 0)`;
  const rows = await reads.select<
    Record<(typeof sumNames)[number] | 'startDate' | 'currency', string> & { chargeCount: number }
  >(
    `${postingsSql}
    SELECT to_char(${groupStarts[grouping]}, 'YYYY-MM-DD') AS "startDate", currency,
      (count(DISTINCT charge_id) FILTER (WHERE account = 'sales'))::int AS "chargeCount",
      ${sum('sales', '-')} AS sales, ${sum('customer_deposits', '-')} AS deposits, ${sum('refunds', '')} AS refunds,
      ${sum('bank_fees', '')} AS fees, ${sum('other_income', '-')} AS "otherIncome",
      ${sum('unmatched_receipts', '-')} AS unmatched,
      ${sum('returned_receipts', '', "kind = 'return'")} AS returned, ${sum('bank', '')} AS net
    FROM posting WHERE day >= $8::date GROUP BY 1, 2 ORDER BY 1 DESC, 2`,
    [...toPostingParameters(period), period.from],
  );
  return rows.map(({ startDate, currency, chargeCount, ...sums }) => ({
    startDate,
    currency,
    chargeCount,
    ...(Object.fromEntries(sumNames.map((name) => [name, BigInt(sums[name])])) as Record<
      (typeof sumNames)[number],
      bigint
    >),
  }));
}
