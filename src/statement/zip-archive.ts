import { Readable } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import { invalidStatement } from './invalid-statement.ts';

/** A file in a ZIP archive. `read` inflates it and fails if it has more than `sizeMax` bytes. */
export type ZipMember = { name: string; read(options: { sizeMax: number }): AsyncGenerator<Uint8Array> };

const endSignature = 0x06054b50;
const centralSignature = 0x02014b50;
const localSignature = 0x04034b50;
const endSize = 22;
const commentSizeMax = 65_535;
const membersMax = 10_000;

/**
 * Lists the files of a ZIP archive that is in memory. Nothing is inflated until it is read. Throws `invalid_statement`
 * for a damaged, encrypted or multi-part archive, and for ZIP64, which only files of gigabytes need.
 */
export function openZipArchive(archive: Buffer): ZipMember[] {
  const end = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  const isEnd =
    end >= 0 && end >= archive.length - endSize - commentSizeMax && archive.length - end >= endSize;
  if (!isEnd || archive.readUInt32LE(end) !== endSignature) throw damagedError();
  const count = archive.readUInt16LE(end + 10);
  if (count > membersMax) throw invalidStatement(1, `the ZIP archive has more than ${membersMax} files`);
  const members: ZipMember[] = [];
  let at = archive.readUInt32LE(end + 16);
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > end || archive.readUInt32LE(at) !== centralSignature) throw damagedError();
    const [nameSize, extraSize, noteSize] = [28, 30, 32].map((offset) =>
      archive.readUInt16LE(at + offset),
    ) as [number, number, number];
    members.push(openMember(archive, at, archive.toString('utf8', at + 46, at + 46 + nameSize)));
    at += 46 + nameSize + extraSize + noteSize;
  }
  return members;
}

function openMember(archive: Buffer, at: number, name: string): ZipMember {
  const flags = archive.readUInt16LE(at + 8);
  const method = archive.readUInt16LE(at + 10);
  const packedSize = archive.readUInt32LE(at + 20);
  const localAt = archive.readUInt32LE(at + 42);
  return {
    name,
    async *read({ sizeMax }) {
      if ((flags & 1) !== 0)
        throw invalidStatement(1, 'the file is protected with a password: remove it first');
      if (localAt + 30 > archive.length || archive.readUInt32LE(localAt) !== localSignature)
        throw damagedError();
      const start = localAt + 30 + archive.readUInt16LE(localAt + 26) + archive.readUInt16LE(localAt + 28);
      const packed = archive.subarray(start, start + packedSize);
      if (packed.length !== packedSize || (method !== 0 && method !== 8)) throw damagedError();
      yield* limitSize(method === 0 ? toBlocks(packed) : inflate(packed), { name, sizeMax });
    },
  };
}

const blockSize = 64 * 1024;

function* toBlocks(bytes: Buffer): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += blockSize) yield bytes.subarray(at, at + blockSize);
}

async function* inflate(packed: Buffer): AsyncGenerator<Uint8Array> {
  const inflater = createInflateRaw();
  const source = Readable.from(toBlocks(packed));
  source.pipe(inflater);
  try {
    yield* inflater as AsyncIterable<Uint8Array>;
  } catch {
    throw damagedError();
  } finally {
    source.destroy();
    inflater.destroy();
  }
}

/** Stops at the first byte too many, so that a small archive cannot fill memory or keep a worker busy. */
async function* limitSize(
  blocks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  { name, sizeMax }: { name: string; sizeMax: number },
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const block of blocks) {
    size += block.length;
    if (size > sizeMax)
      throw invalidStatement(1, `${name.slice(0, 100)} in the archive is larger than ${sizeMax >> 20} MiB`);
    yield block;
  }
}

function damagedError(): Error {
  return invalidStatement(1, 'the ZIP archive is damaged or incomplete');
}
