/** The maximum length of a line that is not a row. The longest is the header, which lists every migration. */
const lineBytesMax = 1024 * 1024;
/** The end of a table's rows, including the line break at the end of the last row. */
const endMark = Buffer.from('\n\\.\n');
const lineBreak = 0x0a;

export type BackupReader = {
  /** Returns the next line. Throws if there is none. */
  readLine(): Promise<string>;
  /** Yields the rows of a table in chunks of any size. */
  readRows(): AsyncGenerator<Buffer>;
};

/** Reads a backup or the file of a move, of which only a few chunks are in memory at a time. */
export function createBackupReader(
  chunks: AsyncIterable<Buffer>,
  damagedError: () => Error = damagedBackupError,
): BackupReader {
  const source = chunks[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);

  async function readMore(): Promise<void> {
    const next = await source.next();
    if (next.done) throw damagedError();
    rest = Buffer.concat([rest, next.value]);
  }

  async function readLine(): Promise<string> {
    for (;;) {
      const end = rest.indexOf(lineBreak);
      if (end !== -1) {
        const text = rest.toString('utf8', 0, end);
        rest = rest.subarray(end + 1);
        return text;
      }
      if (rest.length > lineBytesMax) throw damagedError();
      await readMore();
    }
  }

  async function* readRows(): AsyncGenerator<Buffer> {
    // The first byte of `rest` has always been yielded already; here, it is the line break before the rows.
    rest = Buffer.concat([endMark.subarray(0, 1), rest]);
    for (;;) {
      const end = rest.indexOf(endMark);
      if (end !== -1) {
        if (end > 0) yield rest.subarray(1, end + 1);
        rest = rest.subarray(end + endMark.length);
        return;
      }
      // Keeps bytes that may be the beginning of the end mark.
      const cut = rest.length - endMark.length;
      if (cut > 0) {
        yield rest.subarray(1, cut + 1);
        rest = rest.subarray(cut);
      }
      await readMore();
    }
  }

  return { readLine, readRows };
}

export function damagedBackupError(): Error {
  return new Error('The backup is damaged or truncated');
}
