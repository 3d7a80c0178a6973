/** Which of what is due a batch takes: at most `limit`, and none of `except`; `seen` is to be told which it has locked. */
export type Share = { limit: number; except: readonly string[]; seen: (ids: string[]) => void };

/**
 * Takes what is due in batches that are not full at the end, or until the signal comes; answers how much was done. `work`
 * is one transaction: it says what it has seen before it goes on with that, also when it then fails, and answers how much
 * it did. What cannot be taken, or not all at once, keeps nothing else: a batch that failed is done again one
 * by one, and what failed alone is thrown at the end, after the words of `failed`.
 */
export async function takeDue(
  { batchSize, failed, signal }: { batchSize: number; failed: string; signal?: AbortSignal | undefined },
  work: (share: Share) => Promise<number>,
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
  work: (share: Share) => Promise<number>,
  share: Omit<Share, 'seen'>,
): Promise<{ found: string[]; done?: number; error?: unknown }> {
  let found: string[] = [];
  try {
    const seen = (ids: string[]) => {
      found = ids;
    };
    const done = await work({ ...share, seen });
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
