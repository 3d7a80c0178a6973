import type { Db } from '../../../kit/db.ts';
import type { Owner } from '../../../kit/owner.ts';
import { queryNamed } from '../../../kit/sql.ts';
import {
  type ChargeParts,
  type ChargeRecord,
  chargeList,
  type ReadCharge,
  toCharge,
} from '../charge/read-charge.ts';
import { type CountedFilter, listConditions, type Values } from './charge-conditions.ts';

export type ChargeSlice = { filter: CountedFilter; after: string | undefined; take: number };

/** The newest charges of a list, those after (older than) the id given; `take` at most. */
export async function readChargeSlice(
  db: Pick<Db, 'pool'>,
  owner: Owner,
  { filter, after, take, ...parts }: ChargeSlice & ChargeParts,
): Promise<ReadCharge[]> {
  const values: Values = [];
  const edge = after === undefined ? '' : `AND id < $${values.push(after)}`;
  const text = `SELECT ${chargeList(parts)} FROM (
      SELECT * FROM charge WHERE ${listConditions(values, owner, filter)} ${edge}
      ORDER BY id DESC LIMIT $${values.push(take)}
    ) charge ORDER BY charge.id DESC`;
  return (await queryNamed<ChargeRecord>(db.pool, text, values)).map(toCharge);
}
