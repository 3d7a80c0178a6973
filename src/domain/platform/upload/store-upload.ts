import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';
import type { Upload } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Db, Tx } from '../../../kit/db.ts';
import { dayMs } from '../../../kit/duration.ts';
import { DomainError, invalidInputError, rateLimitedError } from '../../../kit/errors.ts';
import { newId } from '../../../kit/id.ts';
import { lockByName } from '../../../kit/lock-by-name.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import { splitIntoBlocks } from '../../../kit/split-into-blocks.ts';
import { checkText } from '../../../kit/text.ts';

export const uploadBytesMax = 256 * 1024 * 1024;
/** How long a file is stored if it is not imported. */
export const uploadLifetimeMs = dayMs;
/** The maximum number of pending files per merchant and mode, so that uploads cannot fill the database. */
const pendingUploadsMax = 20;
const fileNameLengthMax = 255;
/** The size of a stored chunk, and of the data in memory at a time. */
const chunkBytes = 256 * 1024;

const deflate = promisify(deflateRaw);

type UploadInput = MerchantScope & {
  fileName: string;
  actor: string;
  source: AsyncIterable<Uint8Array>;
  /** The maximum number of bytes, even if the request declared more or fewer. */
  bytesMax?: number;
  now: Date;
};

/**
 * Stores a file from a stream in chunks. The file is deleted if it is not imported within a day. If the
 * stream is interrupted, nothing remains stored. Errors: `payload_too_large`, `rate_limited` for too many
 * concurrent uploads, `invalid_request` for an empty file, and those of the stream.
 */
export async function storeUpload(db: Db, input: UploadInput): Promise<Upload> {
  const { merchantId, mode, actor, now } = input;
  const fileName = checkText(input.fileName, '/fileName', fileNameLengthMax) || 'file';
  const { id } = await transact(db, async ({ tx }) => {
    await requireCapacity(tx, input);
    return tx.upload.create({
      data: {
        id: newId('upload', now),
        merchantId,
        mode,
        fileName,
        createdBy: actor,
        createdAt: now,
        expiresAt: new Date(now.getTime() + uploadLifetimeMs),
      },
    });
  });
  try {
    return await db.prisma.upload.update({ where: { id }, data: await writeChunks(db, id, input) });
  } catch (error) {
    await db.prisma.upload.delete({ where: { id } });
    throw error;
  }
}

/**
 * Makes room for one more file: of too many pending files, deletes the oldest complete one, because its preview was
 * probably abandoned. Throws `rate_limited` if all of them are still being uploaded. Serializes the start of concurrent
 * uploads, so that the limit is exact.
 */
async function requireCapacity(tx: Tx, { merchantId, mode, now }: UploadInput): Promise<void> {
  await lockByName(tx, `uploads ${merchantId} ${mode}`);
  const pending = await tx.upload.findMany({
    where: { merchantId, mode, expiresAt: { gt: now } },
    select: { id: true, size: true },
    orderBy: { expiresAt: 'asc' },
    take: pendingUploadsMax,
  });
  if (pending.length < pendingUploadsMax) return;
  const oldest = pending.find(({ size }) => size !== null);
  if (!oldest) throw rateLimitedError(`${pendingUploadsMax} files are being uploaded at the moment`, 60);
  // An import in the meantime keeps the file.
  await tx.upload.deleteMany({ where: { id: oldest.id, expiresAt: { not: null } } });
}

async function writeChunks(
  db: Db,
  uploadId: string,
  { source, bytesMax = uploadBytesMax }: UploadInput,
): Promise<{ size: bigint; sha256: string }> {
  const hash = createHash('sha256');
  let size = 0;
  let position = 0;
  for await (const block of splitIntoBlocks(source, { size: chunkBytes })) {
    size += block.length;
    if (size > bytesMax) {
      throw new DomainError('payload_too_large', `A file must be at most ${bytesMax >> 20} MiB`);
    }
    hash.update(block);
    await db.prisma.uploadChunk.create({
      data: { uploadId, position, bytes: new Uint8Array(await deflate(block)) },
    });
    position += 1;
  }
  if (size === 0) throw invalidInputError('', 'must not be empty', 'The file');
  return { size: BigInt(size), sha256: hash.digest('hex') };
}
