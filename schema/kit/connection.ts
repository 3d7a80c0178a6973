import type { ObjectRef } from '@pothos/core';
import { invalidInputError } from '../../src/kit/errors.ts';
import { builder, type ExtendedTypes } from './builder.ts';
import { getTypeName } from './relay-options.ts';

const pageMax = 50;

type PageArgs = { first?: number | null | undefined; last?: number | null | undefined };

/**
 * Returns the maximum page size. Throws `invalid_request` for a larger `first` or `last`, rather than
 * returning fewer objects silently.
 */
export function checkPageSize({ first, last }: PageArgs): number {
  for (const [name, size] of Object.entries({ first, last })) {
    if (size != null && size < 0) throw invalidInputError(`/${name}`, 'must be a non-negative integer');
    if (size != null && size > pageMax) throw invalidInputError(`/${name}`, `must be at most ${pageMax}`);
  }
  if (first != null && last != null)
    throw invalidInputError('/last', 'must not be given together with first');
  return pageMax;
}

/** The options of every list that pages by ID. */
export const idPagingOptions = { cursor: 'id', maxSize: (args: object) => checkPageSize(args) } as const;

/** The argument of lists that can be in either order. */
export const reverseArg = {
  description:
    'Whether the list is in reverse order, with the oldest objects first. The default is false. Cursors are valid in both orders.',
} as const;

type Order = { reverse?: boolean | null | undefined };

/** The query that prismaConnection builds from the paging arguments. */
export type PrismaPageQuery = { cursor?: { id?: unknown }; skip?: number; take?: number };
type CursorBound = { id: { lt: string } | { gt: string } };

/**
 * Returns the query for one page, newest first unless `reverse` is set, by comparing IDs with the cursor
 * (keyset pagination). Prisma's own cursor looks up the cursor's row and skips one. If that row no longer
 * matches the filter, Prisma would skip a matching row instead.
 */
export function toKeysetQuery<Query extends PrismaPageQuery, Where extends object>(
  query: Query,
  typeName: string,
  where: Where,
  order: Order = {},
): Omit<Query, 'cursor' | 'skip'> & {
  where: { AND: (Where | CursorBound)[] };
  orderBy: { id: 'asc' | 'desc' };
} {
  const { cursor: _cursor, skip: _skip, ...selection } = query;
  const bound = toCursorBound(query, typeName, order);
  return {
    ...selection,
    where: { AND: bound ? [where, bound] : [where] },
    orderBy: { id: order.reverse ? 'asc' : 'desc' },
  };
}

/**
 * Returns the page's bounds if it continues forward from the cursor, for lists that bypass Prisma; otherwise
 * undefined.
 */
export function toForwardPage(
  query: PrismaPageQuery,
  typeName: string,
): { after: string | undefined; take: number } | undefined {
  const { take } = query;
  if (take === undefined || take < 0) return undefined;
  return { after: getCursorId(query, typeName), take };
}

/**
 * Returns the bound of a page; undefined for the first page. Throws `invalid_request` for a cursor of another
 * list.
 */
export function toCursorBound(
  query: PrismaPageQuery,
  typeName: string,
  { reverse }: Order = {},
): CursorBound | undefined {
  const id = getCursorId(query, typeName);
  if (id === undefined) return undefined;
  return { id: isBackward(query) === Boolean(reverse) ? { lt: id } : { gt: id } };
}

const isBackward = ({ take = 0 }: PrismaPageQuery) => take < 0;

function getCursorId(query: PrismaPageQuery, typeName: string): string | undefined {
  if (!query.cursor) return undefined;
  const { id } = query.cursor;
  if (typeof id !== 'string' || getTypeName(id) !== typeName)
    throw invalidInputError(isBackward(query) ? '/before' : '/after', 'must be a cursor of this list');
  return id;
}

/** The Prisma plugin provides the total as a number or as a function that counts. */
type PageWithTotal = { totalCount?: number | (() => number | Promise<number>) };

/** Creates the type of the entries of a list. */
export function createEdgeType<Row>(type: ObjectRef<ExtendedTypes, Row>, name: string) {
  return builder.edgeObject({
    type,
    name: `${name}Edge`,
    description: `An entry in a list of \`${name}\` objects: the object and its cursor.`,
  });
}

/** Creates the connection type of a list. The total is counted only if it is selected. */
export function createConnectionType<Row>(
  type: ObjectRef<ExtendedTypes, Row>,
  name: string,
  edge = createEdgeType(type, name),
) {
  return builder.connectionObject(
    {
      type,
      name: `${name}Connection`,
      description: `A page in a list of \`${name}\` objects.`,
      fields: (t) => ({
        totalCount: t.int({
          description:
            'The total number of objects in the list, on all pages. The service counts them only if you select this field.',
          extensions: { pothosPrismaTotalCount: true },
          resolve: (page) => {
            const { totalCount = 0 } = page as PageWithTotal;
            return typeof totalCount === 'function' ? totalCount() : totalCount;
          },
        }),
      }),
    },
    edge,
  );
}
