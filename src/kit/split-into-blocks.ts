/**
 * Regroups a byte stream into blocks of exactly `size` bytes (the last may be shorter). What follows then works on
 * the same blocks however the bytes arrived, so neither the result nor the memory depends on the network.
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
      // A new one: whoever took the block may still hold a part of it.
      block = new Uint8Array(size);
      filled = 0;
    }
  }
  if (filled > 0) yield block.subarray(0, filled);
}
