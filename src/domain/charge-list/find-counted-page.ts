import type { Db } from '../../kit/db.ts';
import type { Owner } from '../../kit/owner.ts';
import { readSnapshot } from '../../kit/read-snapshot.ts';
import { queryNamed } from '../../kit/sql.ts';
import type { PlainTx } from '../../kit/transact-plain.ts';
import type { ShownCharge } from '../charge/charge-object.ts';
import { readShown, type ShownRow, shownColumns } from '../charge/read-shown.ts';
import { type CountedFilter, listConditions, type Values } from './charge-conditions.ts';
import { totalOf } from './count-charges.ts';
import { findPlaceInList } from './find-place-in-list.ts';

type Slice = { filter: CountedFilter; skip: number; take: number };
type Page = { charges: ShownCharge[]; total: number };

/** Passing over so many is quicker than asking the counts where the page begins. */
const skipMax = 1_000;

/** One page with its total in one statement, which sees one moment; deep in the list with the help of the counts. */
export async function findCountedPage(db: Pick<Db, 'pool'>, owner: Owner, slice: Slice): Promise<Page> {
  if (slice.skip > skipMax) return readSnapshot(db, (tx) => readDeepPage(tx, owner, slice));
  const values: Values = [];
  const total = totalOf(values, owner, slice.filter);
  // The total stands on a row of its own, or a page after the last one would have none to say it.
  const text = `SELECT whole.total, ${shownColumns}
    FROM (SELECT (${total}) AS total) whole LEFT JOIN (${pageOf('*', values, owner, slice)}) charge ON true
    ORDER BY charge.id DESC`;
  const rows = await queryNamed<ShownRow & { total: string }>(db.pool, text, values);
  const shown = rows.filter(({ id }) => id !== null);
  return { charges: shown.map(readShown), total: Number(rows[0]?.total) };
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
  const text = `SELECT ${shownColumns} FROM charge WHERE charge.id = ANY(${ids}) ORDER BY charge.id DESC`;
  const rows = await queryNamed<ShownRow>(tx, text, values);
  return { charges: rows.map(readShown), total: place.total };
}
