/** Does work in batches of a size until one is not full, or the signal says to stop; answers how many in all. */
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
