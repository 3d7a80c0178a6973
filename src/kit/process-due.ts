/** One batch of due rows: at most `limit`, none of `except`. `onFound` gets the ids of the rows that were locked for it. */
export type DueBatch = {
  limit: number;
  except: readonly string[];
  onFound: (ids: string[]) => void;
};

type Options = { batchSize: number; failed?: string; signal?: AbortSignal | undefined };

/**
 * Processes due rows in batches until one is not full or the signal aborts. Returns how many were processed. `work` is one
 * transaction and returns how many it processed.
 *
 * One row that fails must not block the others: when `work` fails after `onFound`, its rows are processed one by one, and
 * the errors are thrown at the end with the message `failed` and the ids. Without `onFound`, an error is thrown at once.
 *
 * Statements that delete from a growing table find their rows by `ctid` in an index's order, or PostgreSQL reads the
 * whole table for each batch; they check again whatever may have changed since.
 */
export async function processDue(
  { batchSize, failed = '', signal }: Options,
  work: (batch: DueBatch) => Promise<number>,
): Promise<number> {
  const errors = new Map<string, unknown>();
  let remainingSingles = 0;
  for (let total = 0; ; ) {
    const limit = remainingSingles > 0 ? 1 : batchSize;
    const { found, processed, error } = await tryBatch(work, { limit, except: [...errors.keys()] });
    remainingSingles = Math.max(0, remainingSingles - 1);
    let isLast = false;
    if (processed !== undefined) {
      total += processed;
      isLast = (found?.length ?? processed) < limit || processed === 0;
    } else if (found?.length === 1) errors.set(found[0]!, error);
    else remainingSingles = found!.length;
    if (!isLast && !signal?.aborted) continue;
    if (errors.size === 0) return total;
    throw new AggregateError([...errors.values()], `${failed}: ${[...errors.keys()].join(', ')}`);
  }
}

async function tryBatch(
  work: (batch: DueBatch) => Promise<number>,
  batch: Omit<DueBatch, 'onFound'>,
): Promise<{ found: string[] | undefined; processed?: number; error?: unknown }> {
  let found: string[] | undefined;
  const onFound = (ids: string[]) => {
    found = ids;
  };
  try {
    const processed = await work({ ...batch, onFound });
    return { found, processed };
  } catch (error) {
    if (!found?.length) throw error;
    return { found, error };
  }
}
