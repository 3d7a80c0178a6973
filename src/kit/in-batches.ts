/**
 * Does work in batches of a size until one is not full, or the signal says to stop; answers how many in all. Where the
 * work deletes rows of a table that grows, it names them by their place (`ctid`), found in the order of an index: else
 * PostgreSQL reads the whole table for each batch. What may become young again meanwhile is asked once more beside that.
 */
export async function inBatches(
  size: number,
  work: () => Promise<number>,
  signal?: AbortSignal,
): Promise<number> {
  for (let total = 0; ; ) {
    const done = await work();
    total += done;
    if (done < size || signal?.aborted) return total;
  }
}
