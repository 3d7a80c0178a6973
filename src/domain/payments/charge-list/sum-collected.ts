import { Prisma } from '../../../../prisma/client/client.ts';
import { getDayStart } from '../../../kit/day-start.ts';
import { dayMs } from '../../../kit/duration.ts';
import { checkInteger } from '../../../kit/integer.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import type { Money } from '../../../kit/money.ts';
import type { StaleReads } from '../../../kit/stale-reads.ts';
import { checkTimeZone, toLocalDate } from '../../../kit/time-zone.ts';
import type { MethodCode } from '../../../method/catalog.ts';

export type CollectedSum = { money: Money; charges: number };

/**
 * The collected amount of a completed charge: the requested amount if the sandbox completed it without a transfer,
 * otherwise the amount received net of reversals.
 */
export const collectedMinorSql = Prisma.sql`CASE WHEN completed_by = 'sandbox' THEN customer_amount ELSE amount_received END`;

/**
 * Sums the charges that completed from `from` (inclusive) to `to` (exclusive), by the currency in which they
 * were paid.
 */
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

/**
 * The amounts collected on one day, `YYYY-MM-DD`. `amounts` has one sum for each currency and method, in
 * alphabetical order, and is empty for a day without payments.
 */
export type CollectedDay = {
  date: string;
  amounts: { method: MethodCode; money: Money; charges: number }[];
};

const daysMax = 92;

/**
 * Sums completed charges for each of the last `days` days in the time zone, oldest first and including today.
 * Amounts are calculated as in `sumCollected`. Throws `invalid_request` unless `days` is 1 to 92 and the time
 * zone is known.
 */
export async function sumCollectedByDay(
  { stale }: StaleReads,
  options: MerchantScope & { days: number; timeZone: string; now: Date },
): Promise<CollectedDay[]> {
  const { merchantId, mode, now } = options;
  const days = checkInteger(options.days, '/days', { min: 1, max: daysMax });
  const timeZone = checkTimeZone(options.timeZone);
  const dates = getLastDates(toLocalDate(now, timeZone), days);
  const starts = dates.map((date) => getDayStart(date, timeZone));
  const sums = await sumByStarts({ stale }, { merchantId, mode, starts });
  return dates.map((date, i) => ({ date, amounts: sums[i]! }));
}

/**
 * Sums completed charges by the interval in which they completed. Each interval begins at one of `starts`,
 * which ascend, and ends before the next; the last has no end.
 */
export async function sumByStarts(
  { stale }: Pick<StaleReads, 'stale'>,
  { merchantId, mode, starts }: MerchantScope & { starts: readonly Date[] },
): Promise<CollectedDay['amounts'][]> {
  const rows = await stale.$queryRaw<
    { day: number; currency: string; method: MethodCode; minor: string; charges: number }[]
  >`
    SELECT width_bucket(completed_at, ${[...starts]}::timestamptz[]) AS day, customer_currency AS currency, method,
      count(*)::int AS charges,
      sum(${collectedMinorSql})::text AS minor
    FROM charge
    WHERE merchant_id = ${merchantId} AND mode = ${mode}::mode AND status = 'completed'
      AND completed_at >= ${starts[0]}
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`;
  const rowsByDay = Map.groupBy(rows, ({ day }) => day);
  return starts.map((_, i) =>
    (rowsByDay.get(i + 1) ?? []).map(({ currency, method, minor, charges }) => ({
      method,
      money: { minor: BigInt(minor), currency },
      charges,
    })),
  );
}

/** Returns `days` consecutive dates that end with `last`. */
export function getLastDates(last: string, days: number): string[] {
  const lastMs = Date.parse(`${last}T00:00:00Z`);
  return Array.from({ length: days }, (_, i) =>
    new Date(lastMs - (days - 1 - i) * dayMs).toISOString().slice(0, 10),
  );
}
