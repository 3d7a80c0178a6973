import { invalidStatementError } from './invalid-statement.ts';
import { damagedZipError, readZipFile } from './zip-files.ts';

/** A file in a ZIP archive. `read` inflates it and fails if it has more than `sizeMax` bytes. */
export type ZipMember = { name: string; read(options: { sizeMax: number }): AsyncGenerator<Uint8Array> };

const endMark = Buffer.from('PK\u0005\u0006', 'latin1');
const centralSignature = 0x02014b50;
const endSize = 22;
const membersMax = 10_000;
const blockSize = 64 * 1024;

/**
 * Lists the files of a ZIP archive that is in memory, to be read in any order. Nothing is inflated until it is
 * read. ZIP64 is not supported, because only files of gigabytes need it.
 */
export function openZipArchive(archive: Buffer): ZipMember[] {
  const end = archive.lastIndexOf(endMark);
  if (end < 0 || archive.length - end < endSize) throw damagedZipError();
  const count = archive.readUInt16LE(end + 10);
  if (count > membersMax)
    throw invalidStatementError(1, `the archive contains more than ${membersMax} files`);
  const members: ZipMember[] = [];
  let offset = archive.readUInt32LE(end + 16);
  for (let index = 0; index < count; index += 1) {
    if (offset + 46 > end || archive.readUInt32LE(offset) !== centralSignature) throw damagedZipError();
    const nameSize = archive.readUInt16LE(offset + 28);
    const name = archive.toString('utf8', offset + 46, offset + 46 + nameSize);
    const file = archive.subarray(archive.readUInt32LE(offset + 42));
    members.push({ name, read: (options) => readZipFile(toBlocks(file), options) });
    offset += 46 + nameSize + archive.readUInt16LE(offset + 30) + archive.readUInt16LE(offset + 32);
  }
  return members;
}

async function* toBlocks(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let offset = 0; offset < bytes.length; offset += blockSize)
    yield bytes.subarray(offset, offset + blockSize);
}
