import { findCharge } from '../../src/domain/payments/charge/get-charge.ts';
import type { ChargeRelations, ChargeWithRelations } from '../../src/domain/payments/charge/read-charge.ts';
import {
  type ChargeSlice,
  readChargeSlice,
} from '../../src/domain/payments/charge-list/read-charge-slice.ts';
import { isUnitOfWork } from '../../src/event/unit-of-work.ts';
import { type GraphqlContext, getMerchantScope } from '../kit/graphql-context.ts';
import { markRelationsLoaded } from '../kit/loaded-relations-plugin.ts';

type ChargeSelection = { select?: unknown; include?: Record<string, unknown> | null };

/**
 * Returns the selected relations if one SQL statement can read them with the charges. Returns undefined for other
 * selections and within a transaction, which Prisma reads.
 */
export function getPlainRelations(query: object, { service }: GraphqlContext): ChargeRelations | undefined {
  const { select, include } = query as ChargeSelection;
  if (select || isUnitOfWork(service)) return undefined;
  const { refunds, customer, ...otherRelations } = include ?? {};
  const isPlain =
    Object.keys(otherRelations).length === 0 &&
    (customer === undefined || customer === true) &&
    (refunds === undefined || JSON.stringify(refunds) === JSON.stringify(newestFirst));
  return isPlain ? { refunds: refunds !== undefined, customer: customer === true } : undefined;
}

/** The query of the field `Charge.refunds`. `getPlainRelations` recognizes the field by this query. */
export const newestFirst = { orderBy: { id: 'desc' } } as const;

/** Returns one charge of the merchant with these relations; null if it does not exist. */
export async function readChargeWithRelations(
  context: GraphqlContext,
  id: string,
  relations: ChargeRelations,
): Promise<ChargeWithRelations | null> {
  const row = await findCharge(context.service, { ...getMerchantScope(context), id }, relations);
  return row && markRelationsLoaded(row);
}

/** Returns a page of the merchant's charges with these relations. */
export async function readChargesWithRelations(
  context: GraphqlContext,
  page: ChargeSlice,
  relations: ChargeRelations,
): Promise<ChargeWithRelations[]> {
  const rows = await readChargeSlice(context.service, getMerchantScope(context), { ...page, ...relations });
  return rows.map(markRelationsLoaded);
}
