/**
 * Regroups a byte stream into blocks of exactly `size` bytes; the last may be shorter. Results and memory use
 * then do not depend on how the network splits the stream.
 */
export async function* splitIntoBlocks(
  source: AsyncIterable<Uint8Array>,
  { size }: { size: number },
): AsyncGenerator<Uint8Array> {
  let block = new Uint8Array(size);
  let filled = 0;
  for await (const chunk of source) {
    for (let from = 0; from < chunk.length; ) {
      const copyLength = Math.min(size - filled, chunk.length - from);
      block.set(chunk.subarray(from, from + copyLength), filled);
      filled += copyLength;
      from += copyLength;
      if (filled < size) continue;
      yield block;
      // The yielded block is not reused, because the consumer may still reference it.
      block = new Uint8Array(size);
      filled = 0;
    }
  }
  if (filled > 0) yield block.subarray(0, filled);
}
