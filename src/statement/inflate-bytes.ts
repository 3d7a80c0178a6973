import { createInflateRaw } from 'node:zlib';
import type { ByteReader } from './archive-bytes.ts';

/** The number of bytes that are decompressed in one step, because they can expand by a factor of 1,000. */
const sliceSize = 8 * 1024;

/**
 * Yields the decompressed bytes of a raw deflate stream, and leaves the reader behind its end. Throws the
 * error of zlib if the stream is damaged or ends early.
 */
export async function* inflateBytes(reader: ByteReader): AsyncGenerator<Uint8Array> {
  const inflate = createInflateRaw();
  const output: Uint8Array[] = [];
  let error: Error | undefined;
  let stopWaiting = () => {};
  inflate.on('data', (bytes: Uint8Array) => output.push(bytes));
  inflate.on('error', (reason) => {
    error = reason;
    stopWaiting();
  });
  let written = 0;
  try {
    for (;;) {
      const slice = await reader.read(sliceSize);
      await new Promise<void>((resolve) => {
        stopWaiting = resolve;
        if (slice.length === 0) inflate.end(resolve);
        else inflate.write(slice, () => resolve());
      });
      if (error) throw error;
      yield* output.splice(0);
      written += slice.length;
      // The bytes that the decompressor has not consumed are after the end of the stream.
      const remaining = written - inflate.bytesWritten;
      if (remaining > 0) reader.unread(slice.subarray(slice.length - remaining));
      if (remaining > 0 || slice.length === 0) return;
    }
  } finally {
    inflate.destroy();
  }
}
