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

export type ChargeSlice = {
  filter: CountFilter;
  /** Whether the oldest charges come first. */
  reverse?: boolean | null | undefined;
  after: string | undefined;
  take: number;
};

/** Reads at most `take` charges that follow the charge `after`, newest first unless `reverse` is set. */
export async function readChargeSlice(
  db: Pick<Db, 'pool'>,
  scope: MerchantScope,
  { filter, reverse, after, take, ...relations }: ChargeSlice & ChargeRelations,
): Promise<ChargeWithRelations[]> {
  const values: SqlValues = [];
  const cursorCondition = after === undefined ? '' : `AND id ${reverse ? '>' : '<'} $${values.push(after)}`;
  const order = reverse ? 'ASC' : 'DESC';
  const text = `SELECT ${buildChargeSelectList(relations)} FROM (
      SELECT * FROM charge WHERE ${buildListConditions(values, scope, filter)} ${cursorCondition}
      ORDER BY id ${order} LIMIT $${values.push(take)}
    ) charge ORDER BY charge.id ${order}`;
  return (await queryPrepared<ChargeRecord>(db.pool, text, values)).map(toCharge);
}
