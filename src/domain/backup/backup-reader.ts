/** Longest line that is no row: the header names every migration. */
const lineBytesMax = 1024 * 1024;
/** The end of a table's rows, with the line break before it. */
const endMark = Buffer.from('\n\\.\n');
const lineBreak = 0x0a;

export type BackupReader = {
  /** The next line. Throws when there is none. */
  line(): Promise<string>;
  /** The rows up to their end, in whatever pieces they arrive. */
  rows(): AsyncGenerator<Buffer>;
};

/** Reads the text of a backup piece by piece; at no time more of it is held than a few pieces. */
export function backupReader(pieces: AsyncIterable<Buffer>): BackupReader {
  const source = pieces[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);

  async function more(): Promise<void> {
    const next = await source.next();
    if (next.done) throw damaged();
    rest = Buffer.concat([rest, next.value]);
  }

  async function line(): Promise<string> {
    for (;;) {
      const end = rest.indexOf(lineBreak);
      if (end !== -1) {
        const text = rest.toString('utf8', 0, end);
        rest = rest.subarray(end + 1);
        return text;
      }
      if (rest.length > lineBytesMax) throw damaged();
      await more();
    }
  }

  async function* rows(): AsyncGenerator<Buffer> {
    // The first byte of `rest` is always one that was handed out already: at the start, the line break before.
    rest = Buffer.concat([endMark.subarray(0, 1), rest]);
    for (;;) {
      const end = rest.indexOf(endMark);
      if (end !== -1) {
        if (end > 0) yield rest.subarray(1, end + 1);
        rest = rest.subarray(end + endMark.length);
        return;
      }
      // What could be the beginning of the mark waits for what follows.
      const cut = rest.length - endMark.length;
      if (cut > 0) {
        yield rest.subarray(1, cut + 1);
        rest = rest.subarray(cut);
      }
      await more();
    }
  }

  return { line, rows };
}

export function damaged(): Error {
  return new Error('The backup is damaged, or cut off');
}
