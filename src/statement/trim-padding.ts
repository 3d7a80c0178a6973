/** The end-of-file character of CP/M and DOS, and the padding of mainframe records. */
const isPadding = (byte: number | undefined) => byte === 0x1a || byte === 0;

/** The maximum number of padding bytes that are held back. A file with more is not a statement. */
const heldMax = 64 * 1024;

/**
 * Removes the bytes 0x1A and 0x00 at the end of a file, which file transfers from old systems add. Not for
 * UTF-16, where the last byte of a character may be zero.
 */
export async function* trimPadding(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array<ArrayBufferLike> = new Uint8Array(0);
  for await (const chunk of source) {
    let end = chunk.length;
    while (end > 0 && isPadding(chunk[end - 1])) end -= 1;
    if (end === 0) {
      held = Buffer.concat([held, chunk]);
      if (held.length <= heldMax) continue;
      end = 0;
    }
    if (held.length > 0) yield held;
    if (end > 0) yield chunk.subarray(0, end);
    held = end === 0 ? new Uint8Array(0) : chunk.subarray(end);
  }
}
