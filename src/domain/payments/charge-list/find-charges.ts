import type { ChargeStatus, Prisma } from '../../../../prisma/client/client.ts';
import { foldEmail, toPhoneDigits } from '../../../kit/contact.ts';
import { type Db, readBatch } from '../../../kit/db.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import { readSnapshot } from '../../../kit/read-snapshot.ts';
import { queryPrepared } from '../../../kit/sql.ts';
import type { Queryable } from '../../../kit/with-client.ts';
import { type AmountRange, inRange } from '../../platform/amount-range.ts';
import { createdBetween, toExclusiveEnd } from '../../platform/created-between.ts';
import { buildMetadataFilter, type MetadataFilter } from '../../platform/metadata.ts';
import { chargeInclude } from '../charge/get-charge.ts';
import {
  buildChargeSelectList,
  type ChargeRecord,
  type ChargeWithRefunds,
  toCharge,
} from '../charge/read-charge.ts';
import {
  buildDayCondition,
  buildListConditions,
  buildSharedConditions,
  buildStatusCondition,
  type CountFilter,
  type SqlValues,
} from './charge-conditions.ts';
import { buildDeltaSql, buildTotalSql, countCharges } from './count-charges.ts';
import { splitIntoBuckets, type TimeBucket, toBucket } from './time-buckets.ts';

/** Dates are inclusive at both ends. `customerPhone` is ignored if `customerEmail` is set. */
export type ChargeFilter = MetadataFilter & {
  method?: string | undefined;
  status?: ChargeStatus | readonly ChargeStatus[] | undefined;
  startDate?: Date | undefined;
  endDate?: Date | undefined;
  customerCurrency?: string | undefined;
  receivingAccountId?: string | undefined;
  checkoutLinkId?: string | undefined;
  /** The user who sold at the counter. */
  sellerId?: string | undefined;
  /** Whether the charge has received a part of its amount and is not completed, by `charge_partly_paid_idx`. */
  isPartlyPaid?: boolean | undefined;
  customerEmail?: string | undefined;
  customerPhone?: string | undefined;
  /** The requested amount in the merchant's currency; inclusive at both ends. */
  merchantAmount?: AmountRange | undefined;
};

type ChargePage = { charges: ChargeWithRefunds[]; total: number };

type FindChargesOptions = MerchantScope & { filter: ChargeFilter; page: number; limit: number };

/** Returns one page of the merchant's charges, newest first, with the exact total from the same snapshot. */
export async function findCharges(db: Db, options: FindChargesOptions): Promise<ChargePage> {
  const { page, limit, filter, ...scope } = options;
  const countFilter = toCountFilter(filter);
  if (countFilter)
    return findCountedPage(db, scope, { filter: countFilter, skip: (page - 1) * limit, take: limit });
  return findPage(db, options);
}

/** Counts the charges directly, because the stored counts do not support the filter. */
async function findPage(db: Db, options: FindChargesOptions): Promise<ChargePage> {
  const { page, limit } = options;
  const where = buildChargeFilter(options);
  const [total, charges] = await readBatch(db, [
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

/** Returns the filter in the form of the stored counts, or undefined if they do not support it. */
export function toCountFilter(filter: ChargeFilter): CountFilter | undefined {
  const { status, method, customerCurrency, startDate, endDate, ...others } = filter;
  if (Object.values(others).some((value) => value !== undefined)) return undefined;
  return {
    statuses: status && [status].flat(),
    method,
    customerCurrency,
    from: startDate ?? null,
    until: endDate ? toExclusiveEnd(endDate) : null,
  };
}

const partlyPaid = { completedAt: null, amountReceived: { gt: 0 } } satisfies Prisma.ChargeWhereInput;

/** Returns the filter as a Prisma condition, always limited to the merchant and mode. */
export function buildChargeFilter(
  options: MerchantScope & { filter: ChargeFilter },
): Prisma.ChargeWhereInput {
  const { merchantId, mode, filter } = options;
  const { customerEmail, customerPhone, merchantAmount: amount, isPartlyPaid } = filter;
  return {
    merchantId,
    mode,
    ...(filter.method !== undefined && { method: filter.method }),
    ...(filter.status !== undefined && { status: { in: [filter.status].flat() } }),
    ...(filter.customerCurrency !== undefined && { customerCurrency: filter.customerCurrency }),
    ...(filter.receivingAccountId !== undefined && { receivingAccountId: filter.receivingAccountId }),
    ...(filter.checkoutLinkId !== undefined && { checkoutLinkId: filter.checkoutLinkId }),
    // Repeats the merchant and mode, so that the query can use the index of sellers.
    ...(filter.sellerId !== undefined && { session: { merchantId, mode, sellerId: filter.sellerId } }),
    AND: [createdBetween('charge', filter), isPartlyPaid === true ? partlyPaid : {}],
    ...(isPartlyPaid === false && { NOT: partlyPaid }),
    ...(filter.notifyPayload !== undefined && { notifyPayload: filter.notifyPayload }),
    ...buildMetadataFilter(filter.metadata),
    ...(amount && { merchantCurrency: amount.currency, merchantAmount: inRange(amount) }),
    // Repeats the merchant and mode, so that the query can use the index of customers.
    // A charge without an email does not match the email that its customer provided later.
    ...(customerEmail !== undefined && {
      customer: { merchantId, mode, email: foldEmail(customerEmail) },
      email: { not: null },
    }),
    ...(customerEmail === undefined &&
      customerPhone !== undefined && { phone: `+${toPhoneDigits(customerPhone)}` }),
  };
}

type OffsetSlice = { filter: CountFilter; skip: number; take: number };

const chargeSelectList = buildChargeSelectList({ refunds: true });
const toCharges = (records: readonly ChargeRecord[]) => records.map(toCharge) as ChargeWithRefunds[];

/** Up to this offset, skipping rows is faster than locating the page through the counts. */
const skippedRowsMax = 1_000;

/** Reads one page and the total from one snapshot. Deep pages are located through the counts. */
async function findCountedPage(
  db: Pick<Db, 'pool'>,
  scope: MerchantScope,
  slice: OffsetSlice,
): Promise<ChargePage> {
  if (slice.skip > skippedRowsMax) return readSnapshot(db, (tx) => readDeepPage(tx, scope, slice));
  const values: SqlValues = [];
  const total = buildTotalSql(values, scope, slice.filter);
  // The total is in a separate row, because a page after the last one has no charge that could carry it.
  const text = `SELECT whole.total, ${chargeSelectList}
    FROM (SELECT (${total}) AS total) whole LEFT JOIN (${buildPageSql('*', values, scope, slice)}) charge ON true
    ORDER BY charge.id DESC`;
  const rows = await queryPrepared<ChargeRecord & { total: string }>(db.pool, text, values);
  return { charges: toCharges(rows.filter(({ id }) => id !== null)), total: Number(rows[0]?.total) };
}

function buildPageSql(
  columns: string,
  values: SqlValues,
  scope: MerchantScope,
  { filter, skip, take }: OffsetSlice,
): string {
  return `SELECT ${columns} FROM charge
    WHERE ${buildListConditions(values, scope, filter)}
    ORDER BY id DESC LIMIT $${values.push(take)} OFFSET $${values.push(skip)}`;
}

/**
 * Locates the page through the counts, and skips the remaining rows only in the index, because a day may have
 * many thousands.
 */
async function readDeepPage(tx: Queryable, scope: MerchantScope, slice: OffsetSlice): Promise<ChargePage> {
  const { filter, skip, take } = slice;
  const position = await seekToOffset(tx, scope, { filter, skip });
  if (position.skip === null) return { charges: [], total: position.total };
  const values: SqlValues = [];
  const rest = { filter: { ...filter, until: position.until }, skip: position.skip, take };
  const ids = `ARRAY(${buildPageSql('id', values, scope, rest)})`;
  const text = `SELECT ${chargeSelectList} FROM charge WHERE charge.id = ANY(${ids}) ORDER BY charge.id DESC`;
  const rows = await queryPrepared<ChargeRecord>(tx, text, values);
  return { charges: toCharges(rows), total: position.total };
}

/**
 * Finds the position after `skip` charges, newest first. Returns the total, and where to continue: at charges
 * created before `until`, after skipping `skip` more, or null if the list is shorter. Adds up counts by month
 * and then by day, so that few rows are skipped at any depth.
 */
async function seekToOffset(
  client: Queryable,
  scope: MerchantScope,
  { filter, skip }: { filter: CountFilter; skip: number },
): Promise<{ total: number; until: Date | null; skip: number | null }> {
  const buckets = await countBuckets(client, scope, { filter, buckets: splitIntoBuckets(filter) });
  const total = buckets.reduce((sum, { count }) => sum + count, 0);
  const target = skipBuckets(buckets, skip);
  if (!target) return { total, until: null, skip: null };
  if (target.bucket.grain !== 'month') return { total, until: target.bucket.until, skip: target.skip };
  const days = await countBuckets(client, scope, { filter, buckets: [{ ...target.bucket, grain: 'day' }] });
  const day = skipBuckets(days, target.skip);
  if (!day)
    throw new Error(
      `the daily charge counts of a month add up to less than its monthly count, for ${scope.merchantId}`,
    );
  return { total, until: day.bucket.until, skip: day.skip };
}

/** Returns the bucket with the charge at offset `skip`, and that charge's offset within the bucket. */
function skipBuckets(
  buckets: readonly CountedBucket[],
  skip: number,
): { bucket: CountedBucket; skip: number } | undefined {
  let remaining = skip;
  for (const bucket of buckets) {
    if (remaining < bucket.count) return { bucket, skip: remaining };
    remaining -= bucket.count;
  }
  return undefined;
}

type CountedBucket = TimeBucket & { count: number };

/**
 * Returns the counts of the months, days and partial days in these buckets, newest first. Omits those without
 * charges.
 */
async function countBuckets(
  client: Queryable,
  scope: MerchantScope,
  { filter, buckets }: { filter: CountFilter; buckets: readonly TimeBucket[] },
): Promise<CountedBucket[]> {
  const counts: CountedBucket[] = [];
  for (const bucket of buckets) counts.push(...(await countWithinBucket(client, scope, { filter, bucket })));
  return counts;
}

async function countWithinBucket(
  client: Queryable,
  scope: MerchantScope,
  { filter, bucket }: { filter: CountFilter; bucket: TimeBucket },
): Promise<CountedBucket[]> {
  const { grain, from, until } = bucket;
  if (grain === 'part')
    return [{ ...bucket, count: await countCharges(client, scope, { ...filter, from, until }) }];
  const values: SqlValues = [];
  const text = `SELECT start::text, sum(count) AS count FROM (
      SELECT start, count FROM charge_count
      WHERE ${buildSharedConditions(values, scope, filter)} AND grain = '${grain}'
        AND ${buildStatusCondition(values, 'status', filter)} AND ${buildDayCondition(values, 'start', bucket)}
      UNION ALL
      SELECT date_trunc('${grain}', day)::date, ${buildDeltaSql(values, filter)} FROM charge_count_delta
      WHERE ${buildSharedConditions(values, scope, filter)} AND ${buildDayCondition(values, 'day', bucket)}
    ) counts GROUP BY start ORDER BY counts.start DESC`;
  const rows = await queryPrepared<{ start: string; count: string }>(client, text, values);
  return rows.map((row) => ({ ...toBucket(grain, row.start), count: Number(row.count) }));
}
