import type { Owner } from '../../kit/owner.ts';
import { queryNamed } from '../../kit/sql.ts';
import type { Queryable } from '../../kit/with-client.ts';
import {
  type CountedFilter,
  dayCondition,
  sharedConditions,
  statusCondition,
  type Values,
} from './charge-conditions.ts';
import { type Span, spanAt } from './charge-spans.ts';
import { countCharges, gain } from './count-charges.ts';

export type CountedSpan = Span & { count: number };

/**
 * How many charges fit in each month, day and part of a day of the spans given, newest first; none where there are
 * none.
 */
export async function countSpans(
  client: Queryable,
  owner: Owner,
  { filter, spans }: { filter: CountedFilter; spans: readonly Span[] },
): Promise<CountedSpan[]> {
  const counted: CountedSpan[] = [];
  for (const span of spans) counted.push(...(await countWithin(client, owner, { filter, span })));
  return counted;
}

async function countWithin(
  client: Queryable,
  owner: Owner,
  { filter, span }: { filter: CountedFilter; span: Span },
): Promise<CountedSpan[]> {
  const { grain, from, until } = span;
  if (grain === 'part')
    return [{ ...span, count: await countCharges(client, owner, { ...filter, from, until }) }];
  const values: Values = [];
  const text = `SELECT start::text, sum(count) AS count FROM (
      SELECT start, count FROM charge_count
      WHERE ${sharedConditions(values, owner, filter)} AND grain = '${grain}'
        AND ${statusCondition(values, 'status', filter)} AND ${dayCondition(values, 'start', span)}
      UNION ALL
      SELECT date_trunc('${grain}', day)::date, ${gain(values, filter)} FROM charge_count_delta
      WHERE ${sharedConditions(values, owner, filter)} AND ${dayCondition(values, 'day', span)}
    ) counts GROUP BY start ORDER BY counts.start DESC`;
  const rows = await queryNamed<{ start: string; count: string }>(client, text, values);
  return rows.map((row) => ({ ...spanAt(grain, row.start), count: Number(row.count) }));
}
