import { type GraphqlContext, getMerchantScope } from './graphql-context.ts';

type LoaderBatch<Value> = { keys: Set<string>; values: Promise<Map<string, Value>> };

/**
 * Batches loads of one request: all keys requested in one tick share one call of `load`. Nothing is cached
 * longer, so that a subscription reads fresh values at each change.
 */
export function createLoader<Value>(
  load: (context: GraphqlContext, keys: string[]) => Promise<Map<string, Value>>,
): (context: GraphqlContext, key: string) => Promise<Value | undefined> {
  const batches = new WeakMap<GraphqlContext, LoaderBatch<Value>>();
  const startBatch = (context: GraphqlContext): LoaderBatch<Value> => {
    const keys = new Set<string>();
    const values = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      batches.delete(context);
      return load(context, [...keys]);
    });
    return { keys, values };
  };
  return async (context, key) => {
    const batch = batches.get(context) ?? startBatch(context);
    batches.set(context, batch);
    batch.keys.add(key);
    return (await batch.values).get(key);
  };
}

type OwnRowsFilter = ReturnType<typeof getMerchantScope> & { id: { in: string[] } };

/** Batches loads of the caller's rows by ID. A row that does not exist, or no longer exists, is null. */
export function createRowLoader<Row extends { id: string }>(
  findMany: (context: GraphqlContext, where: OwnRowsFilter) => Promise<Row[]>,
): (context: GraphqlContext, id: string | null) => Promise<Row | null> {
  const load = createLoader<Row>(async (context, ids) => {
    const rows = await findMany(context, { ...getMerchantScope(context), id: { in: ids } });
    return new Map(rows.map((row) => [row.id, row]));
  });
  return async (context, id) => (id === null ? null : ((await load(context, id)) ?? null));
}
