import type { Pagination } from './generated/rest.ts';

/**
 * Iterates over the objects of a REST list. New objects shift others to the next page, so repeated objects are skipped.
 */
export async function* iteratePages<Item extends { id: string }>(
  readPage: (page: number) => Promise<{ items: Item[]; pagination: Pagination }>,
  firstPage: number,
): AsyncGenerator<Item, void, undefined> {
  const seen = new Set<string>();
  for (let page = firstPage; ; page++) {
    const { items, pagination } = await readPage(page);
    for (const item of items) {
      if (seen.has(item.id)) continue;
      seen.add(item.id);
      yield item;
    }
    if (items.length === 0 || page >= pagination.totalPages) return;
  }
}

/** A connection of the GraphQL API, with `nodes` or with `edges`. */
export type Connection<Node> = {
  nodes?: readonly Node[] | null | undefined;
  edges?: readonly ({ node: Node } | null)[] | null | undefined;
  pageInfo: { hasNextPage: boolean; endCursor?: string | null | undefined };
};

/** Iterates over the objects of a GraphQL list, page by page. */
export async function* iterateConnection<Data, Node>(
  readPage: (after: string | undefined) => Promise<Data>,
  select: (data: Data) => Connection<Node> | null | undefined,
  after: string | undefined,
): AsyncGenerator<Node, void, undefined> {
  for (let cursor = after; ; ) {
    const connection = select(await readPage(cursor));
    if (!connection) return;
    const { nodes, edges, pageInfo } = connection;
    yield* nodes ?? (edges ?? []).flatMap((edge) => edge?.node ?? []);
    const next = pageInfo.endCursor;
    if (!pageInfo.hasNextPage) return;
    // Without a new cursor, the same page would be read forever.
    if (next == null || next === cursor)
      throw new TypeError('The operation must select pageInfo { hasNextPage endCursor } and use $after');
    cursor = next;
  }
}
