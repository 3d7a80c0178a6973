import { readCamt } from './camt.ts';
import { invalidStatement } from './invalid-statement.ts';
import { readMt940 } from './mt940.ts';
import { peekBytes } from './peek-bytes.ts';
import type { StatementEntry } from './statement-entry.ts';

/** Names of the formats, as the caller may ask for one. */
export type StatementFormat = 'camt' | 'mt940';

type Reader = {
  format: StatementFormat;
  /** How the format is called in refusals. */
  title: string;
  /** Whether a file that begins so is of this format. `head` is its beginning with one character a byte. */
  detect(head: string): boolean;
  read(source: AsyncIterable<Uint8Array>): AsyncGenerator<StatementEntry>;
};

/** Every format we read, in the order of trying. */
const readers: Reader[] = [
  {
    format: 'camt',
    title: 'ISO 20022 camt.053 and camt.054 (XML)',
    detect: (head) => /^\s*</.test(head),
    read: readCamt,
  },
  {
    format: 'mt940',
    title: 'SWIFT MT940',
    // After SWIFT's envelope, or the few header lines of a bank.
    detect: (head) => /^(?:\{1:.*\{4:)?:20:/m.test(head.slice(0, 1000).replace(/\r\n?/g, '\n')),
    read: readMt940,
  },
];

const headSize = 4096;

/** Byte order marks of UTF-8 and UTF-16 as they look with one character a byte. */
const byteOrderMark = /^(\u00EF\u00BB\u00BF|\u00FF\u00FE|\u00FE\u00FF)/;

/**
 * Reads a bank statement file as a stream of its entries, in the order of the file; `format` given, or told by the
 * first bytes. `onFormat` hears which it is before the first entry. A broken file throws 422 `invalid_statement` with
 * line and reason, maybe after entries were yielded: the caller imports all or nothing. To show progress, count the
 * bytes that `source` hands out.
 */
export async function* readStatement(
  source: AsyncIterable<Uint8Array>,
  { format, onFormat }: { format?: StatementFormat; onFormat?: (format: StatementFormat) => void } = {},
): AsyncGenerator<StatementEntry> {
  const { head, source: whole, close } = await peekBytes(source, { size: headSize });
  try {
    const reader = findReader(head, format);
    onFormat?.(reader.format);
    yield* reader.read(whole);
  } finally {
    // Refused, or left by the caller before its end: the file must still be closed.
    await close();
  }
}

function findReader(head: Uint8Array, format: StatementFormat | undefined): Reader {
  if (head.length === 0) throw invalidStatement(1, 'the file is empty');
  // UTF-16 shows as ASCII with zero bytes between.
  const text = Buffer.from(head.subarray(0, headSize))
    .toString('latin1')
    .replace(byteOrderMark, '')
    .replaceAll('\0', '');
  const reader = readers.find((one) => (format === undefined ? one.detect(text) : one.format === format));
  if (reader) return reader;
  const titles = readers.map(({ title }) => title).join('; ');
  throw invalidStatement(1, `the format of this file is not known; supported: ${titles}`);
}
