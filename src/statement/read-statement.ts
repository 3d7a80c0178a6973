import { findByteOrderMark } from './byte-order-mark.ts';
import { readCamt } from './camt.ts';
import { type CsvReadOptions, readCsv } from './csv.ts';
import { isAmountCell, isDateCell } from './csv-guess-values.ts';
import { csvDelimiters } from './csv-mapping.ts';
import { invalidStatement } from './invalid-statement.ts';
import { readMt940 } from './mt940.ts';
import { peekBytes } from './peek-bytes.ts';
import type { StatementEntry, StatementFileKind } from './statement-entry.ts';
import { isHtmlHead, isXlsxHead } from './table-records.ts';

/** The reader, as detected from the first bytes. `csv` reads all tables: text, Excel workbooks and HTML. */
export type StatementFormat = 'camt' | 'mt940' | 'csv';

type FormatReader = {
  format: StatementFormat;
  /** The kind of file, if the first bytes show it. */
  fileKind?: StatementFileKind;
  /** The name of the format in error messages. */
  title: string;
  /** Detects the format from the beginning of the file, with one character per byte. */
  detect(head: string): boolean;
  read(source: AsyncIterable<Uint8Array>, options: ReadOptions): AsyncGenerator<StatementEntry>;
};

type ReadOptions = {
  /** Required for tables. */
  csv?: CsvReadOptions | undefined;
  /** Called with the kind of the file as soon as it is known, also if the file has no entries. */
  onKind?: ((kind: StatementFileKind) => void) | undefined;
};

/** Creates the reader of a kind of tables, which differ only in how their rows are stored. */
function createTableReader(
  fileKind: StatementFileKind,
  { title, detect }: Pick<FormatReader, 'title' | 'detect'>,
): FormatReader {
  return {
    format: 'csv',
    fileKind,
    title,
    detect,
    read: (source, { csv, onKind }) => {
      onKind?.(fileKind);
      if (!csv) throw invalidStatement(1, 'this file requires a column mapping');
      return readCsv(source, csv);
    },
  };
}

/** The supported formats, in detection order. */
const readers: FormatReader[] = [
  createTableReader('xlsx', { title: 'Excel workbook (.xlsx)', detect: isXlsxHead }),
  createTableReader('html', { title: 'HTML table', detect: isHtmlHead }),
  {
    format: 'camt',
    title: 'ISO 20022 camt.053 and camt.054 (XML)',
    detect: (head) => /^\s*</.test(head),
    read: (source, { onKind }) => readCamt(source, onKind),
  },
  {
    format: 'mt940',
    fileKind: 'mt940',
    title: 'SWIFT MT940',
    // The first field may follow SWIFT's envelope or a bank's header lines.
    detect: (head) => /^(?:\{1:.*\{4:)?:20:/m.test(head.slice(0, 1000).replace(/\r\n?/g, '\n')),
    read: (source, { onKind }) => {
      onKind?.('mt940');
      return readMt940(source);
    },
  },
  createTableReader('csv', { title: 'CSV with your bank’s columns', detect: looksLikeCsv }),
];

/** Other formats that banks offer, recognized by their first bytes, with advice. */
const unsupportedFiles: [beginning: string, advice: string][] = [
  ['PK\u0003\u0004', 'this is a ZIP file, but not an Excel workbook: extract it first'],
  [
    '\u00D0\u00CF\u0011\u00E0',
    'this is an Excel 97-2003 workbook (.xls) or one with a password: open it in Excel or LibreOffice and save it as .xlsx',
  ],
  ['%PDF-', 'this is a PDF: ask the bank for camt.053, MT940 or CSV'],
  ['\u001F\u008B', 'this is a compressed file: extract it first'],
];

/**
 * Returns whether two lines, such as a header and a row, contain the same delimiter, or the only line has a date and an
 * amount.
 */
function looksLikeCsv(head: string): boolean {
  const lines = head.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '');
  const [line = ''] = lines;
  return csvDelimiters.some((delimiter) => {
    if (lines.length > 1) return lines.filter((one) => one.includes(delimiter)).length > 1;
    const cells = line.split(delimiter).map((cell) => cell.trim().replace(/^"|"$/g, ''));
    return cells.some(isDateCell) && cells.some(isAmountCell);
  });
}

const headSize = 4096;

/** Detects the format of a file. Throws `invalid_statement` if the format is not supported. */
export function detectFormat(head: Uint8Array): {
  format: StatementFormat;
  fileKind: StatementFileKind | undefined;
} {
  const { format, fileKind } = findReader(head);
  return { format, fileKind };
}

/**
 * Streams the entries of a bank statement file in file order; the first bytes determine the format. `csv` is
 * required for tables. Throws `invalid_statement` with line and reason, possibly after some entries, so the
 * caller must import all or nothing. For progress, count the bytes that `source` yields.
 */
export async function* readStatement(
  source: AsyncIterable<Uint8Array>,
  options: ReadOptions = {},
): AsyncGenerator<StatementEntry> {
  const { head, source: fullSource, close } = await peekBytes(source, { size: headSize });
  try {
    yield* findReader(head).read(fullSource, options);
  } finally {
    // Closes the file after an error, or if the caller stops early.
    await close();
  }
}

function findReader(head: Uint8Array): FormatReader {
  if (head.length === 0) throw invalidStatement(1, 'the file is empty');
  // In UTF-16, ASCII characters have zero bytes between them, which are removed here.
  const text = Buffer.from(head.subarray(findByteOrderMark(head)?.size ?? 0, headSize))
    .toString('latin1')
    .replaceAll('\0', '');
  const reader = readers.find(({ detect }) => detect(text));
  const [, advice] = unsupportedFiles.find(([signature]) => text.startsWith(signature)) ?? [];
  if (advice !== undefined && reader?.fileKind !== 'xlsx') throw invalidStatement(1, advice);
  if (reader) return reader;
  const titles = readers.map(({ title }) => title).join('; ');
  throw invalidStatement(1, `the format of this file is not recognized; supported formats: ${titles}`);
}
