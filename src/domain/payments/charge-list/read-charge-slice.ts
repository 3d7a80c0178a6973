import type { Db } from '../../../kit/db.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import { queryPrepared } from '../../../kit/sql.ts';
import {
  buildChargeSelectList,
  type ChargeRecord,
  type ChargeRelations,
  type ChargeWithRelations,
  toCharge,
} from '../charge/read-charge.ts';
import { buildListConditions, type CountFilter, type SqlValues } from './charge-conditions.ts';

export type ChargeSlice = { filter: CountFilter; after: string | undefined; take: number };

/** Reads at most `take` of the newest charges that are older than the charge `after`. */
export async function readChargeSlice(
  db: Pick<Db, 'pool'>,
  scope: MerchantScope,
  { filter, after, take, ...relations }: ChargeSlice & ChargeRelations,
): Promise<ChargeWithRelations[]> {
  const values: SqlValues = [];
  const cursorCondition = after === undefined ? '' : `AND id < $${values.push(after)}`;
  const text = `SELECT ${buildChargeSelectList(relations)} FROM (
      SELECT * FROM charge WHERE ${buildListConditions(values, scope, filter)} ${cursorCondition}
      ORDER BY id DESC LIMIT $${values.push(take)}
    ) charge ORDER BY charge.id DESC`;
  return (await queryPrepared<ChargeRecord>(db.pool, text, values)).map(toCharge);
}
