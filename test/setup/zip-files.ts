import { crc32, deflateRawSync } from 'node:zlib';

type ZipShape = {
  flags?: number;
  method?: number;
  checksum?: number;
  /** The format of the data descriptor after the bytes, with which the header has no sizes. */
  descriptor?: 'signature' | 'bare' | 'zip64';
  size?: number;
};

/** The format is that of common ZIP programs. */
export function zipFile(name: string, content: string | Uint8Array, shape: ZipShape = {}): Buffer {
  const { method = 8, descriptor } = shape;
  const raw = Buffer.from(content);
  const bytes = method === 8 ? deflateRawSync(raw) : raw;
  const checksum = shape.checksum ?? crc32(raw);
  const nameBytes = Buffer.from(name);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(0x800 | (shape.flags ?? 0) | (descriptor ? 8 : 0), 6);
  header.writeUInt16LE(method, 8);
  if (!descriptor) {
    header.writeUInt32LE(checksum, 14);
    header.writeUInt32LE(shape.size ?? bytes.length, 18);
    header.writeUInt32LE(raw.length, 22);
  }
  header.writeUInt16LE(nameBytes.length, 26);
  const end = Buffer.alloc(descriptor === 'zip64' ? 20 : 12);
  end.writeUInt32LE(checksum, 0);
  const signature = descriptor === 'bare' ? '' : 'PK\x07\x08';
  return Buffer.concat([header, nameBytes, bytes, ...(descriptor ? [Buffer.from(signature), end] : [])]);
}

/** The directory at the end of an archive; the service reads only its beginning. */
const directory = Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.alloc(60)]);

export const zip = (...files: Buffer[]) => Buffer.concat([...files, directory]);
