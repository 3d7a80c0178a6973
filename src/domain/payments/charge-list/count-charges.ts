import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import { queryPrepared } from '../../../kit/sql.ts';
import type { Queryable } from '../../../kit/with-client.ts';
import {
  type CountFilter,
  dayCondition,
  listConditions,
  type SqlValues,
  sharedConditions,
  statusCondition,
} from './charge-conditions.ts';
import { type DateRange, splitIntoBuckets, type TimeBucket } from './time-buckets.ts';

/** Exactly how many charges of the merchant fit, without counting them: the cost does not grow with their number. */
export async function countCharges(
  client: Queryable,
  scope: MerchantScope,
  filter: CountFilter,
): Promise<number> {
  const values: SqlValues = [];
  const [row] = await queryPrepared<{ total: string }>(
    client,
    `SELECT ${buildTotalSql(values, scope, filter)} AS total`,
    values,
  );
  return Number(row?.total);
}

/**
 * The total as one SQL expression: what is counted, what has changed since (both in one snapshot, so a change counts once
 * whenever it is added), and the charges of parts of days.
 */
export function buildTotalSql(values: SqlValues, scope: MerchantScope, filter: CountFilter): string {
  const buckets = splitIntoBuckets(filter);
  const storedBuckets = buckets.filter(({ grain }) => grain !== 'part');
  const partialDays = buckets.filter(({ grain }) => grain === 'part');
  const terms = [
    ...(storedBuckets.length > 0
      ? [
          storedCountSql(values, scope, filter, storedBuckets),
          deltaSumSql(values, scope, filter, getOuterRange(storedBuckets)),
        ]
      : []),
    ...partialDays.map((partialDay) => partialDayCountSql(values, scope, filter, partialDay)),
  ];
  return terms.length === 0 ? '0' : terms.map((term) => `(${term})`).join(' + ');
}

function storedCountSql(
  values: SqlValues,
  scope: MerchantScope,
  filter: CountFilter,
  buckets: readonly TimeBucket[],
): string {
  const isUnbounded = filter.from === null && filter.until === null;
  const where = isUnbounded
    ? `grain = 'all'`
    : buckets
        .map((bucket) => `(grain = '${bucket.grain}' AND ${dayCondition(values, 'start', bucket)})`)
        .join(' OR ');
  return `SELECT coalesce(sum(count), 0) FROM charge_count
    WHERE ${sharedConditions(values, scope, filter)} AND ${statusCondition(values, 'status', filter)} AND (${where})`;
}

/** What has not been added to the counts yet. */
function deltaSumSql(values: SqlValues, scope: MerchantScope, filter: CountFilter, range: DateRange): string {
  return `SELECT coalesce(sum(${deltaSql(values, filter)}), 0) FROM charge_count_delta
    WHERE ${sharedConditions(values, scope, filter)} AND ${dayCondition(values, 'day', range)}`;
}

/** One for a charge that came to be one of those asked for, less one for a charge that is so no more. */
export function deltaSql(values: SqlValues, filter: CountFilter): string {
  const matches = (column: string) => `coalesce(${statusCondition(values, column, filter)}, false)::int`;
  return `${matches('to_status')} - ${matches('from_status')}`;
}

function partialDayCountSql(
  values: SqlValues,
  scope: MerchantScope,
  filter: CountFilter,
  partialDay: DateRange,
): string {
  return `SELECT count(*) FROM charge WHERE ${listConditions(values, scope, { ...filter, from: partialDay.from, until: partialDay.until })}`;
}

/** From the first to the last of spans that follow each other, newest first. */
function getOuterRange(buckets: readonly TimeBucket[]): DateRange {
  return { from: buckets.at(-1)?.from ?? null, until: buckets[0]?.until ?? null };
}
