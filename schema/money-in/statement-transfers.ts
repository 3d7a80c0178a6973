import { type GraphQLResolveInfo, responsePathAsArray } from 'graphql';
import { Prisma, type Transfer } from '../../prisma/client/client.ts';
import { type PrismaPageQuery, toCursorBound } from '../kit/connection.ts';
import { type GraphqlContext, getMerchantScope } from '../kit/graphql-context.ts';
import { createLoader } from '../kit/loader.ts';

/** The field that requests transfers of statements, as a response path, and its query. */
type TransferPage = { field: string; query: PrismaPageQuery & object };

const loadersByRequest = new WeakMap<GraphqlContext, Map<string, ReturnType<typeof createPageLoader>>>();

/**
 * Returns one page of the transfers of a statement. One statement of SQL reads the pages of all statements in the
 * same field of a request, each by index.
 */
export async function loadTransferPage(
  context: GraphqlContext,
  { id, query, info }: { id: string; query: TransferPage['query']; info: GraphQLResolveInfo },
): Promise<Transfer[]> {
  const field = responsePathAsArray(info.path)
    .filter((part) => typeof part === 'string')
    .join('.');
  const pageLoaders = loadersByRequest.get(context) ?? new Map();
  loadersByRequest.set(context, pageLoaders);
  const load = pageLoaders.get(field) ?? createPageLoader(query);
  pageLoaders.set(field, load);
  return (await load(context, id)) ?? [];
}

function createPageLoader(query: TransferPage['query']) {
  return createLoader<Transfer[]>(async (context, statementIds) => {
    const { prisma } = context.service;
    const { merchantId, mode } = getMerchantScope(context);
    const { cursor: _cursor, take = 0, skip: _skip, ...selection } = query;
    const edge = toCursorBound(query, 'Transfer')?.id;
    const after = edge && ('lt' in edge ? Prisma.sql`AND id < ${edge.lt}` : Prisma.sql`AND id > ${edge.gt}`);
    const order = take < 0 ? Prisma.sql`ASC` : Prisma.sql`DESC`;
    const pageRows = await prisma.$queryRaw<{ id: string }[]>`
      SELECT page.id FROM unnest(${statementIds}::text[]) AS parent(id), LATERAL (
        SELECT id FROM transfer
        WHERE statement_id = parent.id AND merchant_id = ${merchantId} AND mode = ${mode}::mode ${after ?? Prisma.empty}
        ORDER BY id ${order} LIMIT ${Math.abs(take)}
      ) AS page`;
    const rows = await prisma.transfer.findMany({
      ...selection,
      where: { id: { in: pageRows.map(({ id }) => id) } },
      orderBy: { id: 'desc' },
    });
    return Map.groupBy(rows, ({ statementId }) => statementId as string);
  });
}

export const countTransfers = createLoader<number>(async (context, statementIds) => {
  const counts = await context.service.prisma.transfer.groupBy({
    by: ['statementId'],
    where: { ...getMerchantScope(context), statementId: { in: statementIds } },
    _count: true,
  });
  return new Map(counts.map(({ statementId, _count }) => [statementId as string, _count]));
});
