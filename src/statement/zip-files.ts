import { crc32 } from 'node:zlib';
import { type ByteReader, createByteReader, createSizeLimit } from './archive-bytes.ts';
import { inflateBytes } from './inflate-bytes.ts';
import { InvalidStatement, invalidStatementError } from './invalid-statement.ts';

/** A file of an archive. Its bytes must be read before the next file. */
type ArchiveFile = { name: string; bytes: AsyncIterable<Uint8Array> };

const filesMax = 1_000;
const localHeader = 0x04034b50;
const centralHeader = 0x02014b50;
const emptyArchiveEnd = 0x06054b50;
const dataDescriptor = 0x08074b50;

/** The size in a header that refers to the extra field of ZIP64. */
const sizeInExtraField = 0xffffffff;

const otherMethods = new Map([
  [9, 'Deflate64'],
  [12, 'bzip2'],
  [14, 'LZMA'],
  [93, 'Zstandard'],
  [98, 'PPMd'],
]);

type ZipHeader = { name: string; flags: number; method: number; checksum: number; compressedSize: number };

export const damagedZipError = () => invalidStatementError(1, 'this ZIP archive is damaged or truncated');

/** Yields the files of a ZIP archive in their order, without extracting any of them as a whole. */
export async function* readZipFiles(source: AsyncIterable<Uint8Array>): AsyncGenerator<ArchiveFile> {
  const reader = createByteReader(source);
  const limit = createSizeLimit();
  for (let count = 0; ; count += 1) {
    const header = await readHeader(reader);
    if (!header) return;
    if (count === filesMax)
      throw invalidStatementError(1, `the archive contains more than ${filesMax} files`);
    const state = { isRead: false };
    const bytes = readFileBytes(reader, header, { state, limit });
    const isDirectory = header.name.endsWith('/');
    if (!isDirectory) yield { name: header.name, bytes };
    // Skips the bytes that the caller has not read.
    if (!state.isRead) for await (const _ of bytes);
    if (!state.isRead) throw damagedZipError();
  }
}

/** Yields the bytes of the file whose header is at the beginning of `source`, at most `sizeMax`. */
export async function* readZipFile(
  source: AsyncIterable<Uint8Array>,
  { sizeMax }: { sizeMax: number },
): AsyncGenerator<Uint8Array> {
  const reader = createByteReader(source);
  const header = await readHeader(reader);
  if (!header) throw damagedZipError();
  yield* readFileBytes(reader, header, { state: { isRead: false }, limit: createSizeLimit(sizeMax) });
}

async function readHeader(reader: ByteReader): Promise<ZipHeader | undefined> {
  const start = view(await reader.read(4), 4);
  const marker = start.getUint32(0, true);
  // The directory at the end repeats the headers.
  if (marker === centralHeader || marker === emptyArchiveEnd) return undefined;
  if (marker !== localHeader) throw damagedZipError();
  const fields = view(await reader.read(26), 26);
  const nameBytes = await reader.read(fields.getUint16(22, true));
  const extra = await reader.read(fields.getUint16(24, true));
  const flags = fields.getUint16(2, true);
  const isUtf8 = (flags & 0x800) !== 0;
  const name = new TextDecoder(isUtf8 ? 'utf-8' : 'windows-1252').decode(nameBytes).slice(0, 200);
  const method = fields.getUint16(4, true);
  if ((flags & 1) !== 0)
    throw invalidStatementError(
      1,
      'this archive is password-protected: extract it, and upload the files in it',
    );
  if (method !== 0 && method !== 8) {
    const title = otherMethods.get(method) ?? `method ${method}`;
    throw invalidStatementError(
      1,
      `${name} is compressed with ${title}, which is not supported: extract it first`,
    );
  }
  const size = fields.getUint32(14, true);
  return {
    name,
    flags,
    method,
    checksum: fields.getUint32(10, true),
    compressedSize: size === sizeInExtraField ? (findZip64Size(extra) ?? size) : size,
  };
}

/** Returns a view of bytes that must be complete. */
function view(bytes: Uint8Array, size: number): DataView {
  if (bytes.length < size) throw damagedZipError();
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Returns the compressed size from the extra field of ZIP64, in which it follows the uncompressed size. */
function findZip64Size(extra: Uint8Array): number | undefined {
  const fields = new DataView(extra.buffer, extra.byteOffset, extra.length);
  for (let at = 0; at + 4 <= extra.length; at += 4 + fields.getUint16(at + 2, true)) {
    if (fields.getUint16(at, true) === 1 && at + 20 <= extra.length)
      return Number(fields.getBigUint64(at + 12, true));
  }
  return undefined;
}

async function* readFileBytes(
  reader: ByteReader,
  header: ZipHeader,
  { state, limit }: { state: { isRead: boolean }; limit: (bytes: Uint8Array) => Uint8Array },
): AsyncGenerator<Uint8Array> {
  let checksum = 0;
  try {
    const blocks = header.method === 8 ? inflateBytes(reader) : readStored(reader, header);
    for await (const block of blocks) {
      checksum = crc32(block, checksum);
      yield limit(block);
    }
  } catch (error) {
    if (error instanceof InvalidStatement || !isZlibError(error)) throw error;
    throw damagedZipError();
  }
  const expected = hasDescriptor(header) ? await readDescriptor(reader) : header.checksum;
  if (checksum !== expected) throw damagedZipError();
  state.isRead = true;
}

const hasDescriptor = ({ flags }: ZipHeader) => (flags & 8) !== 0;

function isZlibError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^Z_/.test(String(error.code));
}

async function* readStored(reader: ByteReader, header: ZipHeader): AsyncGenerator<Uint8Array> {
  if (hasDescriptor(header) && header.compressedSize === 0)
    throw invalidStatementError(1, `the size of ${header.name} is unknown: extract the archive first`);
  for (let remaining = header.compressedSize; remaining > 0; ) {
    const block = await reader.read(Math.min(remaining, 64 * 1024));
    if (block.length === 0) throw damagedZipError();
    remaining -= block.length;
    yield block;
  }
}

/** Reads the checksum behind a file. The signature is optional, and the sizes have 8 bytes each in ZIP64. */
async function readDescriptor(reader: ByteReader): Promise<number> {
  const first = view(await reader.read(4), 4).getUint32(0, true);
  const checksum = first === dataDescriptor ? view(await reader.read(4), 4).getUint32(0, true) : first;
  await reader.read(8);
  const next = await reader.read(4);
  reader.unread(next);
  const isHeader = next[0] === 0x50 && next[1] === 0x4b && next.length === 4;
  if (!isHeader) await reader.read(8);
  return checksum;
}
