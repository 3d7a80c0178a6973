import type { ChargeStatus, Prisma } from '../../../../prisma/client/client.ts';
import { foldEmail, phoneDigits } from '../../../kit/contact.ts';
import { type Db, readTogether } from '../../../kit/db.ts';
import type { Owner } from '../../../kit/owner.ts';
import { readSnapshot } from '../../../kit/read-snapshot.ts';
import { queryNamed } from '../../../kit/sql.ts';
import type { PlainTx } from '../../../kit/transact-plain.ts';
import type { Queryable } from '../../../kit/with-client.ts';
import { after, madeBetween } from '../../platform/made-between.ts';
import { chargeInclude } from '../charge/get-charge.ts';
import { type ChargeRecord, type ChargeWithRefunds, chargeList, toCharge } from '../charge/read-charge.ts';
import {
  type CountedFilter,
  dayCondition,
  listConditions,
  sharedConditions,
  statusCondition,
  type Values,
} from './charge-conditions.ts';
import { type Span, spanAt, spansOf } from './charge-spans.ts';
import { countCharges, gain, totalOf } from './count-charges.ts';

/** Filters of the interface; dates are inclusive at both ends. The phone counts only without an e-mail. */
export type ChargeFilter = {
  method?: string | undefined;
  /** One, or any of several. */
  status?: ChargeStatus | readonly ChargeStatus[] | undefined;
  startDate?: Date | undefined;
  endDate?: Date | undefined;
  customerCurrency?: string | undefined;
  customerEmail?: string | undefined;
  customerPhone?: string | undefined;
  /** What was asked of the customer, in the merchant's currency; inclusive at both ends. */
  merchantAmount?: { currency: string; min?: bigint | undefined; max?: bigint | undefined } | undefined;
};

export type ChargePage = { charges: ChargeWithRefunds[]; total: number };

type Asked = Owner & { filter: ChargeFilter; page: number; limit: number };

/** One page of the merchant's charges, newest first, with the exact total of the same moment. */
export async function findCharges(db: Db, options: Asked): Promise<ChargePage> {
  const { page, limit, filter, ...owner } = options;
  const counted = countedFilter(filter);
  if (counted) return findCountedPage(db, owner, { filter: counted, skip: (page - 1) * limit, take: limit });
  return findPage(db, options);
}

/** By customer or amount: an index leads to the few that fit, so they are counted themselves. */
async function findPage(db: Db, options: Asked): Promise<ChargePage> {
  const { page, limit } = options;
  const where = chargeWhere(options);
  const [total, charges] = await readTogether(db, [
    db.prisma.charge.count({ where }),
    db.prisma.charge.findMany({
      where,
      include: chargeInclude,
      orderBy: { id: 'desc' },
      skip: (page - 1) * limit,
      take: limit,
    }),
  ]);
  return { charges, total };
}

/** The filter as the counts of charges know it; undefined where it asks for more than they tell. */
export function countedFilter(filter: ChargeFilter): CountedFilter | undefined {
  const { status, method, customerCurrency, startDate, endDate, ...others } = filter;
  if (Object.values(others).some((value) => value !== undefined)) return undefined;
  return {
    statuses: status && [status].flat(),
    method,
    customerCurrency,
    from: startDate ?? null,
    until: endDate ? after(endDate) : null,
  };
}

/** The filter as Prisma says it; every query starts from merchant and mode. */
export function chargeWhere(options: Owner & { filter: ChargeFilter }): Prisma.ChargeWhereInput {
  const { merchantId, mode, filter } = options;
  const { customerEmail, customerPhone, merchantAmount: amount } = filter;
  return {
    merchantId,
    mode,
    ...(filter.method !== undefined && { method: filter.method }),
    ...(filter.status !== undefined && { status: { in: [filter.status].flat() } }),
    ...(filter.customerCurrency !== undefined && { customerCurrency: filter.customerCurrency }),
    ...madeBetween('charge', filter),
    ...(amount && {
      merchantCurrency: amount.currency,
      // Exact as numbers (amounts are below 10^15 minor units), which a kept filter can hold as JSON.
      merchantAmount: {
        ...(amount.min !== undefined && { gte: Number(amount.min) }),
        ...(amount.max !== undefined && { lte: Number(amount.max) }),
      },
    }),
    // Whose customer it is, is said again for the index.
    ...(customerEmail !== undefined && { customer: { merchantId, mode, email: foldEmail(customerEmail) } }),
    ...(customerEmail === undefined &&
      customerPhone !== undefined && { phone: `+${phoneDigits(customerPhone)}` }),
  };
}

type Slice = { filter: CountedFilter; skip: number; take: number };
type Page = { charges: ChargeWithRefunds[]; total: number };

const shown = chargeList({ refunds: true });
const toCharges = (records: readonly ChargeRecord[]) => records.map(toCharge) as ChargeWithRefunds[];

/** Passing over so many is quicker than asking the counts where the page begins. */
const skipMax = 1_000;

/** One page with its total in one statement, which sees one moment; deep in the list with the help of the counts. */
async function findCountedPage(db: Pick<Db, 'pool'>, owner: Owner, slice: Slice): Promise<Page> {
  if (slice.skip > skipMax) return readSnapshot(db, (tx) => readDeepPage(tx, owner, slice));
  const values: Values = [];
  const total = totalOf(values, owner, slice.filter);
  // The total stands on a row of its own, or a page after the last one would have none to say it.
  const text = `SELECT whole.total, ${shown}
    FROM (SELECT (${total}) AS total) whole LEFT JOIN (${pageOf('*', values, owner, slice)}) charge ON true
    ORDER BY charge.id DESC`;
  const rows = await queryNamed<ChargeRecord & { total: string }>(db.pool, text, values);
  return { charges: toCharges(rows.filter(({ id }) => id !== null)), total: Number(rows[0]?.total) };
}

function pageOf(columns: string, values: Values, owner: Owner, { filter, skip, take }: Slice): string {
  return `SELECT ${columns} FROM charge
    WHERE ${listConditions(values, owner, filter)}
    ORDER BY id DESC LIMIT $${values.push(take)} OFFSET $${values.push(skip)}`;
}

/**
 * What the counts say, and then the page from there on. What is still passed over is passed over in the index: a day may
 * have many thousands.
 */
async function readDeepPage(tx: PlainTx, owner: Owner, slice: Slice): Promise<Page> {
  const { filter, skip, take } = slice;
  const place = await findPlaceInList(tx, owner, { filter, skip });
  if (place.skip === null) return { charges: [], total: place.total };
  const values: Values = [];
  const rest = { filter: { ...filter, until: place.until }, skip: place.skip, take };
  const ids = `ARRAY(${pageOf('id', values, owner, rest)})`;
  const text = `SELECT ${shown} FROM charge WHERE charge.id = ANY(${ids}) ORDER BY charge.id DESC`;
  const rows = await queryNamed<ChargeRecord>(tx, text, values);
  return { charges: toCharges(rows), total: place.total };
}

/**
 * Where in a list, newest first, one comes to after passing over `skip` charges: in those made before `until`, after
 * passing over the rest of them; null when the list is not so long. `total`: how long it is. Counts are added up by
 * month and then by day, so that little is passed over one by one, however deep.
 */
async function findPlaceInList(
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
  if (!day)
    throw new Error(
      `the daily charge counts of a month add up to less than its monthly count, for ${owner.merchantId}`,
    );
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

type CountedSpan = Span & { count: number };

/**
 * How many charges fit in each month, day and part of a day of the spans given, newest first; none where there are
 * none.
 */
async function countSpans(
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
