import { createCipheriv, createDecipheriv, createHmac, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { readRandomBytes } from '../../../kit/random.ts';

/**
 * An exported merchant is a line of JSON (this header), then frames: a length of 4 bytes, the ciphertext, and a
 * tag of 16 bytes. The length counts ciphertext and tag. The nonce contains the frame's number and a flag for
 * the last frame, so that frames cannot be removed, reordered or added. `keyCheck` detects a wrong key.
 */
type MoveFileHeader = { format: 'causeway-merchant'; version: 1; salt: string; keyCheck: string };

const frameBytes = 256 * 1024;
const tagBytes = 16;
const lengthBytes = 4;
/** With these parameters, a key derivation takes a tenth of a second and 32 MiB. */
const scryptOptions = { N: 32_768, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
const deriveWithScrypt = promisify<string, Buffer, number, typeof scryptOptions, Buffer>(scrypt);

export function damagedFileError(): Error {
  return new Error('The file is damaged or truncated');
}

/** Encrypts a stream with a passphrase or a random key. */
export async function* encryptFile(chunks: AsyncIterable<Buffer>, secret: string): AsyncGenerator<Buffer> {
  const salt = readRandomBytes(16);
  const key = await deriveWithScrypt(secret, salt, 32, scryptOptions);
  const header: MoveFileHeader = {
    format: 'causeway-merchant',
    version: 1,
    salt: salt.toString('base64'),
    keyCheck: createKeyCheck(key),
  };
  const headerLine = Buffer.from(`${JSON.stringify(header)}\n`);
  yield headerLine;
  let number = 0;
  const encrypt = (plain: Buffer, isLast: boolean) => {
    const cipher = createCipheriv('aes-256-gcm', key, createNonce(number++, isLast));
    cipher.setAAD(headerLine);
    const body = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    const length = Buffer.alloc(lengthBytes);
    length.writeUInt32BE(body.length);
    return Buffer.concat([length, body]);
  };
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  for await (const chunk of chunks) {
    pending.push(chunk);
    pendingBytes += chunk.length;
    if (pendingBytes < frameBytes) continue;
    yield encrypt(Buffer.concat(pending), false);
    pending = [];
    pendingBytes = 0;
  }
  yield encrypt(Buffer.concat(pending), true);
}

/** Decrypts a file. Throws for a wrong key, and for a file that was changed, truncated or extended. */
export async function* decryptFile(chunks: AsyncIterable<Buffer>, secret: string): AsyncGenerator<Buffer> {
  const reader = createByteReader(chunks);
  const headerLine = await reader.readLine();
  const header = parseHeader(headerLine);
  const key = await deriveWithScrypt(secret, Buffer.from(header.salt, 'base64'), 32, scryptOptions);
  const check = Buffer.from(createKeyCheck(key));
  const expectedCheck = Buffer.from(header.keyCheck);
  if (check.length !== expectedCheck.length || !timingSafeEqual(check, expectedCheck))
    throw new Error('The key is not the one with which the file was exported');
  for (let number = 0; ; number++) {
    const length = (await reader.read(lengthBytes)).readUInt32BE();
    if (length < tagBytes || length > 2 * frameBytes + tagBytes) throw damagedFileError();
    const body = await reader.read(length);
    const isLast = await reader.isAtEnd();
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, createNonce(number, isLast));
      decipher.setAAD(headerLine);
      decipher.setAuthTag(body.subarray(-tagBytes));
      yield Buffer.concat([decipher.update(body.subarray(0, -tagBytes)), decipher.final()]);
    } catch {
      throw damagedFileError();
    }
    if (isLast) return;
  }
}

function createKeyCheck(key: Buffer): string {
  return createHmac('sha256', key).update('key check').digest('base64');
}

function createNonce(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt8(isLast ? 1 : 0);
  nonce.writeBigUInt64BE(BigInt(number), 4);
  return nonce;
}

function parseHeader(line: Buffer): MoveFileHeader {
  let header: Partial<MoveFileHeader> = {};
  try {
    header = JSON.parse(line.toString());
  } catch {
    // The check of the format below rejects the file.
  }
  if (header.format !== 'causeway-merchant' || header.salt === undefined || header.keyCheck === undefined)
    throw new Error('The file is not an export of a merchant');
  if (header.version !== 1) throw new Error('The file was created by a newer version of Causeway');
  return header as MoveFileHeader;
}

const headerBytesMax = 1024;

/** Reads a stream by bytes or lines. `read` throws {@link damagedFileError} if the stream ends too early. */
function createByteReader(chunks: AsyncIterable<Buffer>) {
  const source = chunks[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  const readMore = async (): Promise<boolean> => {
    const next = await source.next();
    if (!next.done) rest = rest.length === 0 ? next.value : Buffer.concat([rest, next.value]);
    return !next.done;
  };
  const read = async (length: number): Promise<Buffer> => {
    while (rest.length < length) if (!(await readMore())) throw damagedFileError();
    const bytes = rest.subarray(0, length);
    rest = rest.subarray(length);
    return bytes;
  };
  return {
    read,
    async readLine(): Promise<Buffer> {
      while (!rest.subarray(0, headerBytesMax).includes('\n') && rest.length < headerBytesMax)
        if (!(await readMore())) break;
      return read(rest.indexOf('\n') + 1);
    },
    async isAtEnd(): Promise<boolean> {
      while (rest.length === 0) if (!(await readMore())) return true;
      return false;
    },
  };
}
