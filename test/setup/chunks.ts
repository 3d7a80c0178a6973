/** A file in memory as a stream, in chunks of at most `chunkSize` bytes. */
export async function* chunks(content: string | Uint8Array, chunkSize = 16_384): AsyncGenerator<Uint8Array> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  for (let at = 0; at < bytes.length; at += chunkSize) yield bytes.subarray(at, at + chunkSize);
}
