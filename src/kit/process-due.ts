/** A batch of due rows to process: at most `limit` rows, without `excludedIds`. */
export type DueBatch = {
  limit: number;
  excludedIds: readonly string[];
  /** Call this with the IDs of the rows of the batch as soon as they are locked. */
  onLocked: (ids: string[]) => void;
};

type ProcessDueOptions = { batchSize: number; failureMessage?: string; signal?: AbortSignal | undefined };

/**
 * Processes due rows in batches until a batch is not full or the signal aborts. Returns the number of processed rows.
 * `work` is one transaction and returns the number of rows that it processed.
 *
 * One failing row must not block the others: if `work` fails after it has called `onLocked`, its rows are processed one
 * at a time. The errors are thrown at the end with `failureMessage` and the IDs. If `work` fails before it has called
 * `onLocked`, the error is thrown immediately.
 *
 * Statements that delete from a growing table should select rows by `ctid` in index order, or PostgreSQL scans the
 * whole table for each batch. They must recheck all conditions that may have changed after the selection.
 */
export async function processDue(
  { batchSize, failureMessage = '', signal }: ProcessDueOptions,
  work: (batch: DueBatch) => Promise<number>,
): Promise<number> {
  const errors = new Map<string, unknown>();
  let remainingSingles = 0;
  for (let total = 0; ; ) {
    const limit = remainingSingles > 0 ? 1 : batchSize;
    const { lockedIds, processed, error } = await tryBatch(work, { limit, excludedIds: [...errors.keys()] });
    remainingSingles = Math.max(0, remainingSingles - 1);
    let isLast = false;
    if (processed !== undefined) {
      total += processed;
      isLast = (lockedIds?.length ?? processed) < limit || processed === 0;
    } else if (lockedIds?.length === 1) errors.set(lockedIds[0]!, error);
    else remainingSingles = lockedIds!.length;
    if (!isLast && !signal?.aborted) continue;
    if (errors.size === 0) return total;
    throw new AggregateError([...errors.values()], `${failureMessage}: ${[...errors.keys()].join(', ')}`);
  }
}

async function tryBatch(
  work: (batch: DueBatch) => Promise<number>,
  batch: Omit<DueBatch, 'onLocked'>,
): Promise<{ lockedIds: string[] | undefined; processed?: number; error?: unknown }> {
  let lockedIds: string[] | undefined;
  const onLocked = (ids: string[]) => {
    lockedIds = ids;
  };
  try {
    const processed = await work({ ...batch, onLocked });
    return { lockedIds, processed };
  } catch (error) {
    if (!lockedIds?.length) throw error;
    return { lockedIds, error };
  }
}
