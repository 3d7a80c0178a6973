/** The first bytes of a stream, the whole stream again, and how to give the stream up early. */
export type Peeked = { head: Uint8Array; source: AsyncIterable<Uint8Array>; close(): Promise<void> };

/** Takes at least `size` bytes off a stream (fewer only where it is shorter) without losing any of them. */
export async function peekBytes(
  source: AsyncIterable<Uint8Array>,
  { size }: { size: number },
): Promise<Peeked> {
  const chunks = source[Symbol.asyncIterator]();
  const taken: Uint8Array[] = [];
  let length = 0;
  while (length < size) {
    const next = await chunks.next();
    if (next.done) break;
    taken.push(next.value);
    length += next.value.length;
  }
  const replay = async function* () {
    yield* taken.splice(0);
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
  };
  const close = async () => {
    await chunks.return?.();
  };
  return { head: Buffer.concat(taken), source: replay(), close };
}
