import { readBai2 } from './bai2.ts';
import { detectUnmarkedUtf16, findByteOrderMark } from './byte-order-mark.ts';
import { readCamt } from './camt.ts';
import type { StatementListener } from './control-figures.ts';
import { type CsvReadOptions, readCsv } from './csv.ts';
import { csvDelimiters } from './csv-mapping.ts';
import { gunzipBytes } from './gunzip-bytes.ts';
import { InvalidStatement, invalidStatement } from './invalid-statement.ts';
import { readMt940 } from './mt940.ts';
import { findOtherFile } from './name-file.ts';
import { readOfx } from './ofx.ts';
import { type PeekedStream, peekBytes } from './peek-bytes.ts';
import { readQif } from './qif.ts';
import type { StatementEntry, StatementKind } from './statement-entry.ts';
import { trimPadding } from './trim-padding.ts';
import { readZipFiles } from './zip-files.ts';

/** The format as detected from the first bytes, which name neither the message of a camt file nor what is in an archive. */
export type StatementFormat = 'camt' | 'mt940' | 'ofx' | 'qif' | 'bai2' | 'csv' | 'zip';

type FormatReader = {
  format: StatementFormat;
  /** The name of the format in error messages. */
  title: string;
  /** Detects the format from the beginning of the file, with one character per byte. */
  detect(head: string): boolean;
  read(source: AsyncIterable<Uint8Array>, options: StatementReadOptions): AsyncGenerator<StatementEntry>;
};

export type StatementReadOptions = {
  csv?: CsvReadOptions | undefined;
  /** The account's currency and the import day, `YYYY-MM-DD`, which QIF files omit. */
  account?: { currency: string; today: string } | undefined;
  /** Called with the kind of the file as soon as it is known, also if the file has no entries. */
  onKind?: ((kind: StatementKind) => void) | undefined;
  /** Called at the end of each statement, report or notification, with its control figures; not for CSV. */
  onStatement?: StatementListener | undefined;
};

/** The supported formats, in detection order. */
const readers: FormatReader[] = [
  {
    format: 'zip',
    title: 'ZIP and GZIP files with these',
    detect: (head) => /^PK[^ -~]{2}/.test(head),
    read: readArchive,
  },
  {
    format: 'ofx',
    title: 'OFX and QFX',
    detect: (head) => /^\s*(OFXHEADER\s*:|(<\?xml[^>]*>\s*)?(<!--[^>]*-->\s*)*<(\?OFX|OFX>))/i.test(head),
    read: readOfx,
  },
  {
    format: 'camt',
    title: 'ISO 20022 camt.052, camt.053 and camt.054 (XML)',
    detect: (head) => /^\s*</.test(head),
    read: readCamt,
  },
  {
    format: 'mt940',
    title: 'SWIFT MT940 and MT942',
    // The first field may follow SWIFT's envelope or a bank's header lines.
    detect: (head) => /^(?:\{1:.*\{4:)?:20:/m.test(head.slice(0, 1000).replace(/\r\n?/g, '\n')),
    read: readMt940,
  },
  {
    format: 'qif',
    title: 'QIF',
    detect: (head) =>
      head
        .split(/[\r\n]/)
        .slice(0, 20)
        .some((line) => /^!(Type|Account|Option|Clear)\b/i.test(line)),
    read: (source, { account, ...listeners }) => {
      if (!account) throw invalidStatement(1, 'a QIF file requires the currency of the account');
      return readQif(source, { ...account, ...listeners });
    },
  },
  {
    format: 'bai2',
    title: 'BAI2',
    detect: (head) => /^\s*01,[^,\r\n]*,[^,\r\n]*,\d{6,8},/.test(head),
    read: readBai2,
  },
  {
    format: 'csv',
    title: 'CSV with your bank’s columns',
    detect: looksLikeCsv,
    read: (source, { csv, onKind }) => {
      onKind?.('csv');
      if (!csv) throw invalidStatement(1, 'a CSV file requires a column mapping');
      return readCsv(source, csv);
    },
  },
];

/** Returns whether two lines, such as a header and a row, contain the same delimiter. */
function looksLikeCsv(head: string): boolean {
  const lines = head.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '');
  return csvDelimiters.some((delimiter) => lines.filter((line) => line.includes(delimiter)).length > 1);
}

const headSize = 4096;

/** Detects the format of a file that `decompress` returned. Throws `invalid_statement` if it is not supported. */
export function detectFormat(head: Uint8Array): StatementFormat {
  return findReader(head).format;
}

/**
 * Streams the entries of a bank statement file, or of the files in an archive, in file order; the first bytes determine
 * the format. `csv` is required for CSV, and `account` for QIF. Throws `invalid_statement` with line and reason, possibly
 * after some entries, so the caller must import all or nothing. For progress, count the bytes that `source` yields.
 */
export async function* readStatement(
  source: AsyncIterable<Uint8Array>,
  options: StatementReadOptions = {},
): AsyncGenerator<StatementEntry> {
  const { head, source: fullSource, close } = await peekBytes(decompress(source), { size: headSize });
  try {
    yield* readFile(head, fullSource, options);
  } finally {
    // Closes the file after an error, or if the caller stops early.
    await close();
  }
}

/** Yields the bytes of a file, decompressed if it is a GZIP file. */
export async function* decompress(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { head, source: fullSource, close } = await peekBytes(source, { size: 3 });
  try {
    const isGzip = head[0] === 0x1f && head[1] === 0x8b && head[2] === 8;
    yield* isGzip ? gunzipBytes(fullSource) : fullSource;
  } finally {
    await close();
  }
}

function readFile(
  head: Uint8Array,
  source: AsyncIterable<Uint8Array>,
  options: StatementReadOptions,
): AsyncGenerator<StatementEntry> {
  const reader = findReader(head);
  const isText = reader.format !== 'zip' && toEncoding(head) === undefined;
  return reader.read(isText ? trimPadding(source) : source, options);
}

/**
 * Reads the files of a ZIP archive one after the other. PDF files and images in it are skipped. Throws
 * `invalid_statement` if another file is not a statement.
 */
async function* readArchive(
  source: AsyncIterable<Uint8Array>,
  options: StatementReadOptions,
): AsyncGenerator<StatementEntry> {
  let fileIndex = 0;
  for await (const { name, bytes } of readZipFiles(source)) {
    try {
      const peeked = await peekBytes(decompress(bytes), { size: headSize });
      if (isSkipped(name, peeked)) continue;
      if (toHeadText(peeked.head).startsWith('PK'))
        throw invalidStatement(1, 'this is an archive within an archive: extract it first');
      for await (const entry of readFile(peeked.head, peeked.source, options)) yield { ...entry, fileIndex };
    } catch (error) {
      if (!(error instanceof InvalidStatement)) throw error;
      throw invalidStatement(error.line, `${name.slice(0, 100)}: ${error.reason}`);
    }
    fileIndex += 1;
  }
  if (fileIndex === 0) throw invalidStatement(1, 'this archive contains no statement');
}

/** Returns whether a file of an archive is empty, of the operating system, or has no entries that could be read. */
function isSkipped(name: string, { head }: PeekedStream): boolean {
  const isSystemFile = /(^|\/)(__MACOSX\/|\.|Thumbs\.db$|desktop\.ini$)/i.test(name);
  return isSystemFile || head.length === 0 || findOtherFile(toHeadText(head))?.isHarmless === true;
}

function findReader(head: Uint8Array): FormatReader {
  if (head.length === 0) throw invalidStatement(1, 'the file is empty');
  const text = toHeadText(head);
  const { advice } = findOtherFile(text) ?? {};
  if (advice !== undefined) throw invalidStatement(1, advice);
  const reader = readers.find(({ detect }) => detect(text));
  if (reader) return reader;
  const titles = readers.map(({ title }) => title).join('; ');
  throw invalidStatement(1, `the format of this file is not recognized; supported formats: ${titles}`);
}

/** Returns the first bytes without byte order mark. In UTF-16, the zero bytes between ASCII characters are removed. */
function toHeadText(head: Uint8Array): string {
  return Buffer.from(head.subarray(findByteOrderMark(head)?.size ?? 0, headSize))
    .toString('latin1')
    .replaceAll('\0', '');
}

/** Returns the encoding if it is UTF-16. */
function toEncoding(head: Uint8Array): string | undefined {
  const marked = findByteOrderMark(head)?.encoding;
  return (marked === 'utf-8' ? undefined : marked) ?? detectUnmarkedUtf16(head);
}
