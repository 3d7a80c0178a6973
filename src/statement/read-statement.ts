import { readBai2 } from './bai2.ts';
import { detectUnmarkedUtf16, findByteOrderMark } from './byte-order-mark.ts';
import { readCamt } from './camt.ts';
import type { StatementListener } from './control-totals.ts';
import { readCsv } from './csv.ts';
import type { CsvReadOptions } from './csv-entry.ts';
import { isAmountCell, isDateCell } from './csv-guess-values.ts';
import { csvDelimiters } from './csv-mapping.ts';
import { gunzipBytes } from './gunzip-bytes.ts';
import { InvalidStatement, invalidStatementError } from './invalid-statement.ts';
import { hasMarkedLines, readMt940 } from './mt940.ts';
import { findOtherFile } from './name-file.ts';
import { readOfx } from './ofx.ts';
import { type PeekedStream, peekBytes } from './peek-bytes.ts';
import { readQif } from './qif.ts';
import type { StatementEntry, StatementFileKind } from './statement-entry.ts';
import { summarizeEntries } from './summarize-entries.ts';
import { createTableMetadata } from './table-metadata.ts';
import { isHtmlHead, isXlsxHead } from './table-records.ts';
import { trimPadding } from './trim-padding.ts';
import { readZipFiles } from './zip-files.ts';

/**
 * The reader, as detected from the first bytes, which name neither the message of a camt file nor what is in
 * an archive. `csv` reads all tables: text, Excel workbooks and HTML.
 */
export type StatementFormat = 'camt' | 'mt940' | 'ofx' | 'qif' | 'bai2' | 'csv' | 'zip';

type FormatReader = {
  format: StatementFormat;
  /** The kind of file, if the first bytes show it. */
  fileKind?: StatementFileKind;
  /** Whether trailing zero bytes belong to the file. */
  isBinary?: boolean;
  /** The name of the format in error messages. */
  title: string;
  /** Detects the format from the beginning of the file, as text with one character per byte and as bytes. */
  detect(text: string, head: Uint8Array): boolean;
  read(source: AsyncIterable<Uint8Array>, options: StatementReadOptions): AsyncGenerator<StatementEntry>;
};

export type StatementReadOptions = {
  /** Required for tables. */
  csv?: CsvReadOptions | undefined;
  /** The account's currency and the import day, `YYYY-MM-DD`, which QIF files omit. */
  account?: { currency: string; today: string } | undefined;
  /** Called with the kind of each file, message or statement as soon as it is known, even if it has no entries. */
  onKind?: ((kind: StatementFileKind) => void) | undefined;
  /**
   * Called at the end of each statement, report or notification with its control totals, and for BAI2 trailers that
   * differ.
   */
  onStatement?: StatementListener | undefined;
};

/** Creates the reader of a kind of table. The kinds differ only in how their rows are stored. */
function createTableReader(
  fileKind: StatementFileKind,
  details: Pick<FormatReader, 'title' | 'detect' | 'isBinary'>,
): FormatReader {
  return {
    format: 'csv',
    fileKind,
    ...details,
    read: (source, { csv, onKind, onStatement }) => {
      onKind?.(fileKind);
      if (!csv) throw invalidStatementError(1, 'this file requires a column mapping');
      const metadata = createTableMetadata(csv.mapping, csv);
      return summarizeEntries(readCsv(source, { ...csv, metadata }), {
        onStatement,
        metadata,
        currency: csv.currency,
      });
    },
  };
}

/** The supported formats, in detection order. An Excel workbook is a ZIP archive too. */
const readers: FormatReader[] = [
  createTableReader('xlsx', {
    title: 'Excel workbook (.xlsx)',
    isBinary: true,
    detect: (_, head) => isXlsxHead(head),
  }),
  {
    format: 'zip',
    isBinary: true,
    title: 'ZIP and GZIP files with these',
    detect: (text) => /^PK[^ -~]{2}/.test(text),
    read: readArchive,
  },
  {
    format: 'ofx',
    fileKind: 'ofx',
    title: 'OFX and QFX',
    detect: (text) => /^\s*(OFXHEADER\s*:|(<\?xml[^>]*>\s*)?(<!--[^>]*-->\s*)*<(\?OFX|OFX>))/i.test(text),
    read: readOfx,
  },
  createTableReader('html', { title: 'HTML table', detect: isHtmlHead }),
  {
    format: 'camt',
    title: 'ISO 20022 camt.052, camt.053 and camt.054 (XML)',
    detect: (text) => /^\s*</.test(text),
    read: readCamt,
  },
  {
    format: 'mt940',
    title: 'SWIFT MT940 and MT942',
    // The first field may follow SWIFT's envelope or a bank's header lines.
    detect: (text) =>
      hasMarkedLines(text) || /^(?:\{1:.*\{4:)?:20:/m.test(text.slice(0, 1000).replace(/\r\n?/g, '\n')),
    read: readMt940,
  },
  {
    format: 'qif',
    fileKind: 'qif',
    title: 'QIF',
    detect: (text) =>
      text
        .split(/[\r\n]/)
        .slice(0, 20)
        .some((line) => /^!(Type|Account|Option|Clear)\b/i.test(line)),
    read: (source, { account, ...listeners }) => {
      if (!account) throw invalidStatementError(1, 'a QIF file requires the currency of the account');
      return readQif(source, { ...account, ...listeners });
    },
  },
  {
    format: 'bai2',
    fileKind: 'bai2',
    title: 'BAI2',
    detect: (text) => /^\s*01,[^,\r\n]*,[^,\r\n]*,\d{6,8},/.test(text),
    read: readBai2,
  },
  createTableReader('csv', { title: 'CSV with your bank’s columns', detect: looksLikeCsv }),
];

/**
 * Returns whether two lines, such as a header and a row, contain the same delimiter, or the only line has a date and an
 * amount.
 */
function looksLikeCsv(text: string): boolean {
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '');
  const [firstLine = ''] = lines;
  return csvDelimiters.some((delimiter) => {
    if (lines.length > 1) return lines.filter((line) => line.includes(delimiter)).length > 1;
    const cells = firstLine.split(delimiter).map((cell) => cell.trim().replace(/^"|"$/g, ''));
    return cells.some(isDateCell) && cells.some(isAmountCell);
  });
}

const headSize = 4096;

/** Detects the format of a file that `decompress` returned. */
export function detectFormat(head: Uint8Array): {
  format: StatementFormat;
  fileKind: StatementFileKind | undefined;
} {
  const { format, fileKind } = findReader(head);
  return { format, fileKind };
}

/**
 * Streams the entries of a bank statement file, or of the files in an archive, in file order. Throws
 * `invalid_statement` with line and reason, possibly after some entries, so the caller must import all or nothing.
 * For progress, count the bytes that `source` yields.
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
  const isText = !reader.isBinary && findUtf16Encoding(head) === undefined;
  return reader.read(isText ? trimPadding(source) : source, options);
}

/** Reads the files of a ZIP archive one after the other. */
async function* readArchive(
  source: AsyncIterable<Uint8Array>,
  options: StatementReadOptions,
): AsyncGenerator<StatementEntry> {
  let fileIndex = 0;
  for await (const { name, bytes } of readZipFiles(source)) {
    try {
      const peeked = await peekBytes(decompress(bytes), { size: headSize });
      if (isSkipped(name, peeked)) continue;
      if (findReader(peeked.head).format === 'zip')
        throw invalidStatementError(1, 'this is an archive within an archive: extract it first');
      const index = fileIndex;
      const onStatement: StatementListener = (summary) =>
        options.onStatement?.({ ...summary, fileIndex: index });
      for await (const entry of readFile(peeked.head, peeked.source, { ...options, onStatement }))
        yield { ...entry, fileIndex };
    } catch (error) {
      if (!(error instanceof InvalidStatement)) throw error;
      throw invalidStatementError(error.line, `${name.slice(0, 100)}: ${error.reason}`);
    }
    fileIndex += 1;
  }
  if (fileIndex === 0) throw invalidStatementError(1, 'this archive contains no statement');
}

/** Returns whether a file of an archive is empty, of the operating system, or has no entries that could be read. */
function isSkipped(name: string, { head }: PeekedStream): boolean {
  const isSystemFile = /(^|\/)(__MACOSX\/|\.|Thumbs\.db$|desktop\.ini$)/i.test(name);
  return isSystemFile || head.length === 0 || findOtherFile(toHeadText(head))?.isHarmless === true;
}

function findReader(head: Uint8Array): FormatReader {
  if (head.length === 0) throw invalidStatementError(1, 'the file is empty');
  const text = toHeadText(head);
  const { advice } = findOtherFile(text) ?? {};
  if (advice !== undefined) throw invalidStatementError(1, advice);
  const reader = readers.find(({ detect }) => detect(text, head));
  if (reader) return reader;
  const titles = readers.map(({ title }) => title).join('; ');
  throw invalidStatementError(1, `the format of this file is not recognized; supported formats: ${titles}`);
}

/**
 * Returns the first bytes as text with one character per byte, without byte order mark and zero bytes, so that
 * ASCII characters in UTF-16 are readable.
 */
function toHeadText(head: Uint8Array): string {
  return Buffer.from(head.subarray(findByteOrderMark(head)?.size ?? 0, headSize))
    .toString('latin1')
    .replaceAll('\0', '');
}

function findUtf16Encoding(head: Uint8Array): string | undefined {
  const marked = findByteOrderMark(head)?.encoding;
  return (marked === 'utf-8' ? undefined : marked) ?? detectUnmarkedUtf16(head);
}
