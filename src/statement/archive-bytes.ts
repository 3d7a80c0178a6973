import { invalidStatementError } from './invalid-statement.ts';

export type ByteReader = {
  /** Returns the next `size` bytes, or fewer at the end of the stream. */
  read(size: number): Promise<Uint8Array>;
  /** Returns the next block of any size, or undefined at the end of the stream. */
  readBlock(): Promise<Uint8Array | undefined>;
  /** Puts bytes back, to be read again. */
  unread(bytes: Uint8Array): void;
};

export function createByteReader(source: AsyncIterable<Uint8Array>): ByteReader {
  const chunks = source[Symbol.asyncIterator]();
  let rest: Uint8Array<ArrayBufferLike> = new Uint8Array(0);
  const readBlock = async () => {
    if (rest.length > 0) {
      const block = rest;
      rest = new Uint8Array(0);
      return block;
    }
    for (let next = await chunks.next(); !next.done; next = await chunks.next())
      if (next.value.length > 0) return next.value;
    return undefined;
  };
  return {
    readBlock,
    async read(size) {
      const blocks: Uint8Array[] = [];
      let length = 0;
      while (length < size) {
        const block = await readBlock();
        if (!block) break;
        blocks.push(block);
        length += block.length;
      }
      const bytes = blocks.length === 1 ? blocks[0]! : Buffer.concat(blocks);
      if (length > size) rest = bytes.subarray(size);
      return bytes.subarray(0, size);
    },
    unread(bytes) {
      rest = rest.length === 0 ? bytes : Buffer.concat([bytes, rest]);
    },
  };
}

/** The maximum size of all extracted files. It limits how long an archive that expands without end is read. */
const extractedBytesMax = 1024 * 1024 * 1024;

/** Creates a function that counts extracted bytes and throws above the maximum. */
export function createSizeLimit(max = extractedBytesMax): (bytes: Uint8Array) => Uint8Array {
  let size = 0;
  return (bytes) => {
    size += bytes.length;
    if (size > max) throw invalidStatementError(1, `the archive contains more than ${max / 2 ** 20} MiB`);
    return bytes;
  };
}
