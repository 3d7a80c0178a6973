import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import type { Upload } from '../../../../prisma/client/client.ts';
import type { Db, Tx } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';

const inflate = promisify(inflateRaw);

/** Yields the bytes of a stored file, with one chunk in memory at a time. Throws if a chunk is missing. */
export async function* readUpload(
  db: Db,
  { id, size }: Pick<Upload, 'id' | 'size'>,
): AsyncGenerator<Uint8Array> {
  let remaining = Number(size ?? 0n);
  for (let position = 0; remaining > 0; position += 1) {
    const chunk = await db.prisma.uploadChunk.findUnique({
      where: { uploadId_position: { uploadId: id, position } },
    });
    if (!chunk) throw new Error(`chunk ${position} of ${id} is missing`);
    const bytes = await inflate(chunk.bytes);
    remaining -= bytes.length;
    yield bytes;
  }
}

/**
 * Returns a completely stored file of the merchant. Error: `upload_not_found`, also if the file has expired.
 */
export async function getUpload(
  db: Pick<Db, 'prisma'> | { prisma: Tx },
  { id, now, ...scope }: ScopedId & { now: Date },
): Promise<Upload> {
  const upload = await db.prisma.upload.findFirst({
    where: { id, ...scope, size: { not: null }, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
  });
  if (!upload) throw new DomainError('upload_not_found', `Upload not found or expired: ${id}`);
  return upload;
}
