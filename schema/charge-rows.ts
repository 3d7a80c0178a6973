import {
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import {
  type ChargeParts,
  type ChargeRow,
  type ChargeSlice,
  readChargeRow,
  readChargeRows,
} from '../src/domain/charge-list/read-charge-rows.ts';
import { isUnitOfWork } from '../src/event/unit-of-work.ts';
import { type GraphqlContext, owned } from './kit/graphql-context.ts';
import { withLoadedRelations } from './kit/loaded-relations-plugin.ts';

type Selection = { select?: unknown; include?: Record<string, unknown> | null };

/**
 * What a selection of charges asks for, where one statement reads it: what is mostly asked. Undefined
 * where it asks for other relations, or for more of theirs, or within a transaction: then Prisma reads.
 */
export function quickParts(
  query: object,
  { service }: GraphqlContext,
  info: GraphQLResolveInfo,
): ChargeParts | undefined {
  const { select, include } = query as Selection;
  if (select || isUnitOfWork(service)) return undefined;
  const { refunds, customer, ...others } = include ?? {};
  const isPlain =
    Object.keys(others).length === 0 &&
    (customer === undefined || customer === true) &&
    (refunds === undefined || JSON.stringify(refunds) === JSON.stringify(newestFirst));
  return isPlain
    ? { refunds: refunds !== undefined, customer: customer === true, isShort: asksForShort(info) }
    : undefined;
}

/** Fields of a charge for which the members of a short row are enough. */
const shortFields = new Set([
  'id',
  'status',
  'method',
  'merchantAmount',
  'merchantCurrency',
  'customerAmount',
  'customerCurrency',
  'destination',
  'orders',
  'refunds',
  'customer',
  'email',
  'notifyPayload',
  'expiresAt',
  'completedAt',
  'createdAt',
  'updatedAt',
]);

const known = new WeakMap<FieldNode, boolean>();

/**
 * Whether no other field of a charge is named beneath, also of charges within others, or of another type by the same
 * name.
 */
function asksForShort({ fieldNodes, fragments, schema }: GraphQLResolveInfo): boolean {
  const fields = (schema.getType('Charge') as GraphQLObjectType).getFields();
  const isShort = ({ selections }: SelectionSetNode): boolean =>
    selections.every((selection) => {
      if (selection.kind === Kind.FRAGMENT_SPREAD)
        return isShort(fragments[selection.name.value]!.selectionSet);
      const name = selection.kind === Kind.FIELD ? selection.name.value : '';
      if (Object.hasOwn(fields, name) && !shortFields.has(name)) return false;
      return selection.selectionSet === undefined || isShort(selection.selectionSet);
    });
  return fieldNodes.every((node) => {
    const found = known.get(node) ?? (node.selectionSet === undefined || isShort(node.selectionSet));
    known.set(node, found);
    return found;
  });
}

/** How the field `refunds` of a charge asks for them; a selection that says nothing else is read in one statement. */
export const newestFirst = { orderBy: { id: 'desc' } } as const;

/** One charge with these relations; null where there is none. */
export async function readPreparedCharge(
  context: GraphqlContext,
  id: string,
  parts: ChargeParts,
): Promise<ChargeRow | null> {
  const row = await readChargeRow(context.service, { ...owned(context), id }, parts);
  return row && withLoadedRelations(row);
}

/** A page of charges with these relations. */
export async function readPreparedCharges(
  context: GraphqlContext,
  page: ChargeSlice,
  parts: ChargeParts,
): Promise<ChargeRow[]> {
  const rows = await readChargeRows(context.service, owned(context), page, parts);
  return rows.map(withLoadedRelations);
}
