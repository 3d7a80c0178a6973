/** A file in memory as a stream, in chunks of at most so many bytes: of one size, or of several in turn. */
export async function* chunks(
  content: string | Uint8Array,
  sizes: number | number[] = 16_384,
): AsyncGenerator<Uint8Array> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const turns = [sizes].flat();
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = turns[turn % turns.length]!;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}
