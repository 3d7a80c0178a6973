import type { Owner } from '../../../kit/owner.ts';
import { queryNamed } from '../../../kit/sql.ts';
import type { Queryable } from '../../../kit/with-client.ts';
import {
  type CountedFilter,
  dayCondition,
  listConditions,
  sharedConditions,
  statusCondition,
  type Values,
} from './charge-conditions.ts';
import { type Span, type Stretch, spansOf } from './charge-spans.ts';

/** Exactly how many charges of the merchant fit, without counting them: the cost does not grow with their number. */
export async function countCharges(client: Queryable, owner: Owner, filter: CountedFilter): Promise<number> {
  const values: Values = [];
  const [row] = await queryNamed<{ total: string }>(
    client,
    `SELECT ${totalOf(values, owner, filter)} AS total`,
    values,
  );
  return Number(row?.total);
}

/**
 * The total as one SQL expression: what is counted, what has changed since (both in one snapshot, so a change counts once
 * whenever it is added), and the charges of parts of days.
 */
export function totalOf(values: Values, owner: Owner, filter: CountedFilter): string {
  const spans = spansOf(filter);
  const counted = spans.filter(({ grain }) => grain !== 'part');
  const parts = spans.filter(({ grain }) => grain === 'part');
  const terms = [
    ...(counted.length > 0
      ? [countedSum(values, owner, filter, counted), deltaSum(values, owner, filter, around(counted))]
      : []),
    ...parts.map((part) => partCount(values, owner, filter, part)),
  ];
  return terms.length === 0 ? '0' : terms.map((term) => `(${term})`).join(' + ');
}

function countedSum(values: Values, owner: Owner, filter: CountedFilter, spans: readonly Span[]): string {
  const isWhole = filter.from === null && filter.until === null;
  const where = isWhole
    ? `grain = 'all'`
    : spans
        .map((span) => `(grain = '${span.grain}' AND ${dayCondition(values, 'start', span)})`)
        .join(' OR ');
  return `SELECT coalesce(sum(count), 0) FROM charge_count
    WHERE ${sharedConditions(values, owner, filter)} AND ${statusCondition(values, 'status', filter)} AND (${where})`;
}

/** What has not been added to the counts yet. */
function deltaSum(values: Values, owner: Owner, filter: CountedFilter, days: Stretch): string {
  return `SELECT coalesce(sum(${gain(values, filter)}), 0) FROM charge_count_delta
    WHERE ${sharedConditions(values, owner, filter)} AND ${dayCondition(values, 'day', days)}`;
}

/** One for a charge that came to be one of those asked for, less one for a charge that is so no more. */
export function gain(values: Values, filter: CountedFilter): string {
  const is = (column: string) => `coalesce(${statusCondition(values, column, filter)}, false)::int`;
  return `${is('to_status')} - ${is('from_status')}`;
}

function partCount(values: Values, owner: Owner, filter: CountedFilter, part: Stretch): string {
  return `SELECT count(*) FROM charge WHERE ${listConditions(values, owner, { ...filter, from: part.from, until: part.until })}`;
}

/** From the first to the last of spans that follow each other, newest first. */
function around(spans: readonly Span[]): Stretch {
  return { from: spans.at(-1)?.from ?? null, until: spans[0]?.until ?? null };
}
