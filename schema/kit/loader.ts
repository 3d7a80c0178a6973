import type { GraphqlContext } from './graphql-context.ts';

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
