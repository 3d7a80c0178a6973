import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { createSizeLimit } from './archive-bytes.ts';
import { invalidStatementError } from './invalid-statement.ts';

export async function* gunzipBytes(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const limit = createSizeLimit();
  const gunzip = createGunzip();
  // The iteration below throws the errors of both streams.
  pipeline(Readable.from(source, { objectMode: false }), gunzip, () => {});
  try {
    for await (const bytes of gunzip as AsyncIterable<Uint8Array>) yield limit(bytes);
  } catch (error) {
    if (error instanceof Error && 'code' in error && /^Z_/.test(String(error.code)))
      throw invalidStatementError(1, 'this GZIP file is damaged or truncated');
    throw error;
  }
}
