import type { CsvMapping } from './csv-mapping.ts';
import { type CsvRecord, readCsvRecords, type SkippedRowListener } from './csv-records.ts';
import { readHtmlRecords } from './html-table.ts';
import { peekBytes } from './peek-bytes.ts';
import { readXlsxRecords, readXlsxSheetNames } from './xlsx.ts';

/** How a table is stored: as delimited text, as an Excel workbook, or as an HTML page, often named `.xls`. */
type TableKind = 'text' | 'xlsx' | 'html';

export type TableFormat = Pick<CsvMapping, 'encoding' | 'delimiter' | 'skipLines' | 'sheet'> &
  Partial<Pick<CsvMapping, 'decimalMark'>>;

const headSize = 4096;
const zipMark = 'PK\u0003\u0004';

/** Detects how a table is stored from its first bytes. */
export function detectTableKind(head: Uint8Array): TableKind {
  const text = Buffer.from(head.subarray(0, headSize)).toString('latin1').replaceAll('\0', '');
  if (text.startsWith(zipMark)) return 'xlsx';
  return isHtmlHead(text) ? 'html' : 'text';
}

/** Returns whether a text, with one character per byte, begins like an HTML page or table. */
export function isHtmlHead(text: string): boolean {
  return /^[^<]{0,10}<(?:!doctype html|html|head|meta|body|style|table|div|center)\b/i.test(text);
}

/**
 * Returns whether a file begins like an Excel workbook, not another ZIP archive, by the name of the first
 * file in it.
 */
export function isXlsxHead(head: Uint8Array): boolean {
  const bytes = Buffer.from(head.subarray(0, headSize));
  if (bytes.length < 30 || bytes.toString('latin1', 0, 4) !== zipMark) return false;
  const name = bytes.toString('latin1', 30, 30 + bytes.readUInt16LE(26));
  return /^(\[Content_Types\]\.xml$|_rels\/|docProps\/|customXml\/|xl\/)/.test(name);
}

/** Streams the non-blank rows of a table. */
export async function* readTableRecords(
  source: AsyncIterable<Uint8Array>,
  format: TableFormat,
  onSkipped?: SkippedRowListener,
): AsyncGenerator<CsvRecord> {
  const { head, source: fullSource, close } = await peekBytes(source, { size: headSize });
  try {
    const kind = detectTableKind(head);
    if (kind === 'text') yield* readCsvRecords(fullSource, format, onSkipped);
    else if (kind === 'xlsx') yield* skipLines(readXlsxRecords(fullSource, format), format, onSkipped);
    else yield* skipLines(readHtmlRecords(fullSource), format, onSkipped);
  } finally {
    await close();
  }
}

async function* skipLines(
  records: AsyncIterable<CsvRecord>,
  { skipLines: count }: TableFormat,
  onSkipped: SkippedRowListener | undefined,
): AsyncGenerator<CsvRecord> {
  for await (const record of records) {
    if (record.line > count) yield record;
    else onSkipped?.(record);
  }
}

/** Returns the names of the worksheets that may be read; a text or HTML file has none. */
export async function listSheetNames(source: AsyncIterable<Uint8Array>): Promise<string[]> {
  const { head, source: fullSource, close } = await peekBytes(source, { size: headSize });
  try {
    return detectTableKind(head) === 'xlsx' ? await readXlsxSheetNames(fullSource) : [];
  } finally {
    await close();
  }
}
