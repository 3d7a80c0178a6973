import type { Owner } from '../../kit/owner.ts';
import type { Queryable } from '../../kit/with-client.ts';
import type { CountedFilter } from './charge-conditions.ts';
import { spansOf } from './charge-spans.ts';
import { type CountedSpan, countSpans } from './count-spans.ts';

/**
 * Where in a list, newest first, one comes to after passing over `skip` charges: in those made before `until`, after
 * passing over the rest of them; null when the list is not so long. `total`: how long it is. Counts are added up by
 * month and then by day, so that little is passed over one by one, however deep.
 */
export async function findPlaceInList(
  client: Queryable,
  owner: Owner,
  { filter, skip }: { filter: CountedFilter; skip: number },
): Promise<{ total: number; until: Date | null; skip: number | null }> {
  const spans = await countSpans(client, owner, { filter, spans: spansOf(filter) });
  const total = spans.reduce((sum, { count }) => sum + count, 0);
  const found = passOver(spans, skip);
  if (!found) return { total, until: null, skip: null };
  if (found.span.grain !== 'month') return { total, until: found.span.until, skip: found.skip };
  const days = await countSpans(client, owner, { filter, spans: [{ ...found.span, grain: 'day' }] });
  const day = passOver(days, found.skip);
  if (!day) throw new Error(`the days of a month count fewer charges than the month, of ${owner.merchantId}`);
  return { total, until: day.span.until, skip: day.skip };
}

/** The span that holds the charge after `skip` others, and how many of its own come before that. */
function passOver(
  spans: readonly CountedSpan[],
  skip: number,
): { span: CountedSpan; skip: number } | undefined {
  let rest = skip;
  for (const span of spans) {
    if (rest < span.count) return { span, skip: rest };
    rest -= span.count;
  }
  return undefined;
}
