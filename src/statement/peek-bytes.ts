/** The first bytes of a stream, the complete stream, and a function that closes it early. */
export type PeekedStream = { head: Uint8Array; source: AsyncIterable<Uint8Array>; close(): Promise<void> };

/** Reads at least `size` bytes of a stream (fewer if it is shorter) without consuming them. */
export async function peekBytes(
  source: AsyncIterable<Uint8Array>,
  { size }: { size: number },
): Promise<PeekedStream> {
  const chunks = source[Symbol.asyncIterator]();
  const headChunks: Uint8Array[] = [];
  let length = 0;
  while (length < size) {
    const next = await chunks.next();
    if (next.done) break;
    headChunks.push(next.value);
    length += next.value.length;
  }
  const replay = async function* () {
    yield* headChunks.splice(0);
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
  };
  const close = async () => {
    await chunks.return?.();
  };
  return { head: Buffer.concat(headChunks), source: replay(), close };
}
