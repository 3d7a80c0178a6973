import { byteOrderMark } from './byte-order-mark.ts';
import { readCamt } from './camt.ts';
import { type CsvReadOptions, readCsv } from './csv.ts';
import { csvDelimiters } from './csv-mapping.ts';
import { invalidStatement } from './invalid-statement.ts';
import { readMt940 } from './mt940.ts';
import { peekBytes } from './peek-bytes.ts';
import type { StatementEntry } from './statement-entry.ts';

export type StatementFormat = 'camt' | 'mt940' | 'csv';

type FormatReader = {
  format: StatementFormat;
  /** How the format is called in refusals. */
  title: string;
  /** Whether a file that begins so is of this format. `head` is its beginning with one character a byte. */
  detect(head: string): boolean;
  read(source: AsyncIterable<Uint8Array>, csv: CsvReadOptions | undefined): AsyncGenerator<StatementEntry>;
};

/** Every format we read, in the order of trying. */
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
    // After SWIFT's envelope, or the few header lines of a bank.
    detect: (head) => /^(?:\{1:.*\{4:)?:20:/m.test(head.slice(0, 1000).replace(/\r\n?/g, '\n')),
    read: readMt940,
  },
  {
    format: 'csv',
    title: 'CSV with your bank’s columns',
    detect: looksLikeCsv,
    read: (source, csv) => {
      if (!csv) throw invalidStatement(1, 'a CSV file requires a column mapping');
      return readCsv(source, csv);
    },
  },
];

/** What banks offer beside the formats we read, by its first bytes, and what to do about it. */
const unsupportedFiles: [beginning: string, advice: string][] = [
  ['PK\u0003\u0004', 'this is an Excel workbook or another ZIP file: save it as CSV'],
  ['\u00D0\u00CF\u0011\u00E0', 'this is an old Excel workbook: save it as CSV'],
  ['%PDF-', 'this is a PDF: ask the bank for camt.053, MT940 or CSV'],
  ['\u001F\u008B', 'this is a compressed file: extract it first'],
];

/** At least a header and a row, each with the same delimiter. */
function looksLikeCsv(head: string): boolean {
  const lines = head.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '');
  return csvDelimiters.some((delimiter) => lines.filter((line) => line.includes(delimiter)).length > 1);
}

const headSize = 4096;

/** The format of a file that begins so. Errors: as `readStatement`. */
export function detectFormat(head: Uint8Array): StatementFormat {
  return findReader(head).format;
}

/**
 * Reads a bank statement file, of the format that its first bytes show, as a stream of its entries in the order of the
 * file; `csv`: how to read it if it is CSV. A broken file throws 422 `invalid_statement` with line and reason, maybe
 * after entries were yielded: the caller imports all or nothing. To show progress, count the bytes that `source` hands
 * out.
 */
export async function* readStatement(
  source: AsyncIterable<Uint8Array>,
  { csv }: { csv?: CsvReadOptions | undefined } = {},
): AsyncGenerator<StatementEntry> {
  const { head, source: fullSource, close } = await peekBytes(source, { size: headSize });
  try {
    yield* findReader(head).read(fullSource, csv);
  } finally {
    // Refused, or left by the caller before its end: the file must still be closed.
    await close();
  }
}

function findReader(head: Uint8Array): FormatReader {
  if (head.length === 0) throw invalidStatement(1, 'the file is empty');
  // UTF-16 shows as ASCII with zero bytes between.
  const text = Buffer.from(head.subarray(byteOrderMark(head)?.size ?? 0, headSize))
    .toString('latin1')
    .replaceAll('\0', '');
  const [, advice] = unsupportedFiles.find(([signature]) => text.startsWith(signature)) ?? [];
  if (advice !== undefined) throw invalidStatement(1, advice);
  const reader = readers.find(({ detect }) => detect(text));
  if (reader) return reader;
  const titles = readers.map(({ title }) => title).join('; ');
  throw invalidStatement(1, `the format of this file is not recognized; supported formats: ${titles}`);
}
