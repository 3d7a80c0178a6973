import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import { queryPrepared } from '../../../kit/sql.ts';
import type { Queryable } from '../../../kit/with-client.ts';
import {
  buildDayCondition,
  buildListConditions,
  buildSharedConditions,
  buildStatusCondition,
  type CountFilter,
  type SqlValues,
} from './charge-conditions.ts';
import { type DateRange, splitIntoBuckets, type TimeBucket } from './time-buckets.ts';

/**
 * Returns the exact number of matching charges. Only the charges on partial days are counted one by one; all
 * others are read from stored counts.
 */
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
 * Returns the total as one SQL expression: stored counts, deltas that have not been folded into them, and
 * charges on partial days. In one snapshot, each change is either a delta or part of the stored counts.
 */
export function buildTotalSql(values: SqlValues, scope: MerchantScope, filter: CountFilter): string {
  const buckets = splitIntoBuckets(filter);
  const storedBuckets = buckets.filter(({ grain }) => grain !== 'part');
  const partialDays = buckets.filter(({ grain }) => grain === 'part');
  const terms = [
    ...(storedBuckets.length > 0
      ? [
          buildStoredCountSql(values, scope, filter, storedBuckets),
          buildDeltaSumSql(values, scope, filter, getOuterRange(storedBuckets)),
        ]
      : []),
    ...partialDays.map((partialDay) => buildPartialDayCountSql(values, scope, filter, partialDay)),
  ];
  return terms.length === 0 ? '0' : terms.map((term) => `(${term})`).join(' + ');
}

function buildStoredCountSql(
  values: SqlValues,
  scope: MerchantScope,
  filter: CountFilter,
  buckets: readonly TimeBucket[],
): string {
  const isUnbounded = filter.from === null && filter.until === null;
  const where = isUnbounded
    ? `grain = 'all'`
    : buckets
        .map((bucket) => `(grain = '${bucket.grain}' AND ${buildDayCondition(values, 'start', bucket)})`)
        .join(' OR ');
  return `SELECT coalesce(sum(count), 0) FROM charge_count
    WHERE ${buildSharedConditions(values, scope, filter)} AND ${buildStatusCondition(values, 'status', filter)} AND (${where})`;
}

/** Sums the deltas that have not been folded into `charge_count`. */
function buildDeltaSumSql(
  values: SqlValues,
  scope: MerchantScope,
  filter: CountFilter,
  range: DateRange,
): string {
  return `SELECT coalesce(sum(${buildDeltaSql(values, filter)}), 0) FROM charge_count_delta
    WHERE ${buildSharedConditions(values, scope, filter)} AND ${buildDayCondition(values, 'day', range)}`;
}

/** Evaluates to 1 for a charge that begins to match the filter, and to -1 for one that no longer matches. */
export function buildDeltaSql(values: SqlValues, filter: CountFilter): string {
  const matches = (column: string) => `coalesce(${buildStatusCondition(values, column, filter)}, false)::int`;
  return `${matches('to_status')} - ${matches('from_status')}`;
}

function buildPartialDayCountSql(
  values: SqlValues,
  scope: MerchantScope,
  filter: CountFilter,
  partialDay: DateRange,
): string {
  return `SELECT count(*) FROM charge WHERE ${buildListConditions(values, scope, { ...filter, from: partialDay.from, until: partialDay.until })}`;
}

/** Returns the range covered by adjacent buckets, which are ordered newest first. */
function getOuterRange(buckets: readonly TimeBucket[]): DateRange {
  return { from: buckets.at(-1)?.from ?? null, until: buckets[0]?.until ?? null };
}
