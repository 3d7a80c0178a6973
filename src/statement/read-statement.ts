import { findByteOrderMark } from './byte-order-mark.ts';
import { readCamt } from './camt.ts';
import type { StatementListener } from './control-figures.ts';
import { type CsvReadOptions, readCsv } from './csv.ts';
import { csvDelimiters } from './csv-mapping.ts';
import { invalidStatement } from './invalid-statement.ts';
import { readMt940 } from './mt940.ts';
import { peekBytes } from './peek-bytes.ts';
import type { StatementEntry, StatementKind } from './statement-entry.ts';
import { summarizeEntries } from './summarize-entries.ts';

/** The format as detected from the first bytes, which do not name the message of a camt file. */
export type StatementFormat = 'camt' | 'mt940' | 'csv';

type FormatReader = {
  format: StatementFormat;
  /** The name of the format in error messages. */
  title: string;
  /** Detects the format from the beginning of the file, with one character per byte. */
  detect(head: string): boolean;
  read(source: AsyncIterable<Uint8Array>, options: ReadOptions): AsyncGenerator<StatementEntry>;
};

type ReadOptions = {
  csv?: CsvReadOptions | undefined;
  /** Called with the kind of the file as soon as it is known, also if the file has no entries. */
  onKind?: ((kind: StatementKind) => void) | undefined;
  /** Called at the end of each statement, report or notification, with its control figures. */
  onStatement?: StatementListener | undefined;
};

/** The supported formats, in detection order. */
const readers: FormatReader[] = [
  {
    format: 'camt',
    title: 'ISO 20022 camt.053 and camt.054 (XML)',
    detect: (head) => /^\s*</.test(head),
    read: readCamt,
  },
  {
    format: 'mt940',
    title: 'SWIFT MT940',
    // The first field may follow SWIFT's envelope or a bank's header lines.
    detect: (head) => /^(?:\{1:.*\{4:)?:20:/m.test(head.slice(0, 1000).replace(/\r\n?/g, '\n')),
    read: (source, { onKind, onStatement }) => {
      onKind?.('mt940');
      return readMt940(source, { onStatement });
    },
  },
  {
    format: 'csv',
    title: 'CSV with your bank’s columns',
    detect: looksLikeCsv,
    read: (source, { csv, onKind, onStatement }) => {
      onKind?.('csv');
      if (!csv) throw invalidStatement(1, 'a CSV file requires a column mapping');
      return summarizeEntries(readCsv(source, csv), onStatement);
    },
  },
];

/** Other formats that banks offer, recognized by their first bytes, with advice. */
const unsupportedFiles: [beginning: string, advice: string][] = [
  ['PK\u0003\u0004', 'this is an Excel workbook or another ZIP file: save it as CSV'],
  ['\u00D0\u00CF\u0011\u00E0', 'this is an old Excel workbook: save it as CSV'],
  ['%PDF-', 'this is a PDF: ask the bank for camt.053, MT940 or CSV'],
  ['\u001F\u008B', 'this is a compressed file: extract it first'],
];

/** Returns whether two lines, such as a header and a row, contain the same delimiter. */
function looksLikeCsv(head: string): boolean {
  const lines = head.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '');
  return csvDelimiters.some((delimiter) => lines.filter((line) => line.includes(delimiter)).length > 1);
}

const headSize = 4096;

/** Detects the format of a file. Throws `invalid_statement` if the format is not supported. */
export function detectFormat(head: Uint8Array): StatementFormat {
  return findReader(head).format;
}

/**
 * Streams the entries of a bank statement file in file order; the first bytes determine the format. `csv` is
 * required for CSV. Throws `invalid_statement` with line and reason, possibly after some entries, so the
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
  const [, advice] = unsupportedFiles.find(([signature]) => text.startsWith(signature)) ?? [];
  if (advice !== undefined) throw invalidStatement(1, advice);
  const reader = readers.find(({ detect }) => detect(text));
  if (reader) return reader;
  const titles = readers.map(({ title }) => title).join('; ');
  throw invalidStatement(1, `the format of this file is not recognized; supported formats: ${titles}`);
}
