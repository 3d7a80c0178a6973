import type { Db } from '../../kit/db.ts';
import type { Owner } from '../../kit/owner.ts';
import { readSnapshot } from '../../kit/read-snapshot.ts';
import { queryNamed } from '../../kit/sql.ts';
import type { PlainTx } from '../../kit/transact-plain.ts';
import { type ChargeRecord, type ChargeWithRefunds, chargeList, toCharge } from '../charge/read-charge.ts';
import { type CountedFilter, listConditions, type Values } from './charge-conditions.ts';
import { totalOf } from './count-charges.ts';
import { findPlaceInList } from './find-place-in-list.ts';

type Slice = { filter: CountedFilter; skip: number; take: number };
type Page = { charges: ChargeWithRefunds[]; total: number };

const shown = chargeList({ refunds: true });
const toCharges = (records: readonly ChargeRecord[]) => records.map(toCharge) as ChargeWithRefunds[];

/** Passing over so many is quicker than asking the counts where the page begins. */
const skipMax = 1_000;

/** One page with its total in one statement, which sees one moment; deep in the list with the help of the counts. */
export async function findCountedPage(db: Pick<Db, 'pool'>, owner: Owner, slice: Slice): Promise<Page> {
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
