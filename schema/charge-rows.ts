import {
  type ChargeParts,
  type ChargeRow,
  type ChargeSlice,
  readChargeRow,
  readChargeRows,
} from '../src/domain/charge-list/read-charge-rows.ts';
import { isInTransaction } from '../src/kit/db.ts';
import { type GraphqlContext, owned } from './kit/graphql-context.ts';
import { notePrepared } from './kit/prepared-rows.ts';

type Selection = { select?: unknown; include?: Record<string, unknown> | null };

/**
 * The relations that a selection of charges asks for, where one statement reads them: what is mostly asked. Undefined
 * where it asks for others, or for more of theirs, or within a transaction: then Prisma reads.
 */
export function quickParts(query: object, { service }: GraphqlContext): ChargeParts | undefined {
  const { select, include } = query as Selection;
  if (select || isInTransaction(service)) return undefined;
  const { refunds, customer, ...others } = include ?? {};
  const isPlain =
    Object.keys(others).length === 0 &&
    (customer === undefined || customer === true) &&
    (refunds === undefined || JSON.stringify(refunds) === newestFirst);
  return isPlain ? { refunds: refunds !== undefined, customer: customer === true } : undefined;
}

/** As the field `refunds` asks for them, without anything of their own. */
const newestFirst = JSON.stringify({ orderBy: { id: 'desc' } });

/** One charge with these relations; null where there is none. */
export async function prepareCharge(
  context: GraphqlContext,
  id: string,
  parts: ChargeParts,
): Promise<ChargeRow | null> {
  const row = await readChargeRow(context.service, { ...owned(context), id }, parts);
  return row && notePrepared(row);
}

/** A page of charges with these relations. */
export async function prepareCharges(
  context: GraphqlContext,
  page: ChargeSlice,
  parts: ChargeParts,
): Promise<ChargeRow[]> {
  return (await readChargeRows(context.service, owned(context), page, parts)).map(notePrepared);
}
