/** Which of what is due a batch takes: at most `limit`, and none of `except`. */
export type Share = { limit: number; except: readonly string[] };

/**
 * Takes what is due in batches that are not full at the end, or until the signal comes; answers how much was done. `work`
 * is one transaction: it says which rows it has locked before it goes on with them, also when it then fails, and answers
 * how much it did. What cannot be taken, or not all at once, keeps nothing else: a batch that failed is done again one
 * by one, and what failed alone is thrown at the end, after the words of `failed`.
 */
export async function takeDue(
  { batchSize, failed, signal }: { batchSize: number; failed: string; signal?: AbortSignal | undefined },
  work: (share: Share, seen: (ids: string[]) => void) => Promise<number>,
): Promise<number> {
  const failures = new Map<string, unknown>();
  /** So many are taken one by one before the next batch. */
  let alone = 0;
  for (let total = 0; ; ) {
    const limit = alone > 0 ? 1 : batchSize;
    const { found, done, error } = await tryOnce(work, { limit, except: [...failures.keys()] });
    alone = Math.max(0, alone - 1);
    if (done === undefined) {
      if (found.length === 1) failures.set(found[0]!, error);
      else alone = found.length;
    } else {
      total += done;
      if (found.length < limit || done === 0) return report(total, { failures, failed });
    }
    if (signal?.aborted) return report(total, { failures, failed });
  }
}

/** Errors: those of a database that does not even find what is due. */
async function tryOnce(
  work: (share: Share, seen: (ids: string[]) => void) => Promise<number>,
  share: Share,
): Promise<{ found: string[]; done?: number; error?: unknown }> {
  let found: string[] = [];
  try {
    const done = await work(share, (ids) => {
      found = ids;
    });
    return { found, done };
  } catch (error) {
    if (found.length === 0) throw error;
    return { found, error };
  }
}

function report(
  total: number,
  { failures, failed }: { failures: ReadonlyMap<string, unknown>; failed: string },
): number {
  if (failures.size === 0) return total;
  throw new AggregateError([...failures.values()], `${failed}: ${[...failures.keys()].join(', ')}`);
}
