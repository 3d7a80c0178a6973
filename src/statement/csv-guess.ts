import { findByteOrderMark } from './byte-order-mark.ts';
import { guessColumnsByHeader, guessColumnsByValues } from './csv-guess-columns.ts';
import { guessDateOrder, guessDecimalMark, isAmountCell, isDateCell } from './csv-guess-values.ts';
import type { CsvEncoding, CsvMapping } from './csv-mapping.ts';
import { csvDelimiters, csvEncodings } from './csv-mapping.ts';
import { type CsvRecord, readCsvRecords } from './csv-records.ts';
import { type HeaderRole, headerWords } from './csv-words.ts';

/** The header is among this number of lines. Above it, banks write account names, numbers and periods. */
const headerLinesMax = 40;
const sampleRowsMax = 200;

/**
 * Guesses the mapping of a CSV file from its first bytes. The encoding comes from the byte order mark or
 * trial decoding. Delimiter and header come from known column headings, date order and decimal mark from the
 * values. Without a known heading, the values determine the columns. A person checks the preview before the
 * import.
 */
export async function guessCsvMapping(
  head: Uint8Array,
  { currency }: { currency: string },
): Promise<CsvMapping> {
  const encoding = guessEncoding(head);
  const candidates = await Promise.all(
    csvDelimiters.map(async (delimiter) => {
      const records = await readFirstRecords(head, { encoding, delimiter });
      return { delimiter, records, header: findHeader(records) };
    }),
  );
  const getWidth = ({ records }: { records: CsvRecord[] }) =>
    Math.max(0, ...records.map(({ cells }) => cells.length));
  const best = candidates.reduce((a, b) => chooseBetter(a, b, getWidth));
  const { delimiter, records } = best;
  const header = best.header ?? findUnknownHeader(records);
  const rows = records.slice((header?.index ?? -1) + 1, sampleRowsMax);
  const format = {
    encoding,
    delimiter,
    skipLines: header ? records[header.index]!.line - 1 : 0,
    hasHeader: header !== undefined,
  };
  return { ...format, ...guessColumns(header, rows, currency) };
}

type FormatCandidate = { header: { score: number } | undefined; records: CsvRecord[] };

/** Returns the candidate with the better header or, if the headers are equally good, with more columns. */
function chooseBetter<T extends FormatCandidate>(a: T, b: T, getWidth: (one: T) => number): T {
  const byHeader = (b.header?.score ?? 0) - (a.header?.score ?? 0);
  return byHeader > 0 || (byHeader === 0 && getWidth(b) > getWidth(a)) ? b : a;
}

/** Returns the encoding that decodes without error and yields the most known headings. */
function guessEncoding(head: Uint8Array): CsvEncoding {
  const mark = findByteOrderMark(head);
  if (mark && mark.encoding !== 'utf-8') return mark.encoding;
  const nonAsciiWords = Object.values(headerWords)
    .flat()
    .filter((word) => /[^ -~]/.test(word));
  let best: { encoding: CsvEncoding; score: number } | undefined;
  for (const encoding of csvEncodings) {
    if (encoding.startsWith('utf-16')) continue;
    const text = decode(head, encoding);
    if (text === undefined) continue;
    if (encoding === 'utf-8') return encoding;
    const score = nonAsciiWords.filter((word) => text.includes(word)).length;
    if (!best || score > best.score) best = { encoding, score };
  }
  return best?.encoding ?? 'windows-1252';
}

/** Returns undefined if the bytes are not valid in the encoding. `stream` ignores a truncated character at the end. */
function decode(head: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(head, { stream: true });
  } catch {
    return undefined;
  }
}

async function readFirstRecords(
  head: Uint8Array,
  format: { encoding: CsvEncoding; delimiter: CsvMapping['delimiter'] },
): Promise<CsvRecord[]> {
  const records: CsvRecord[] = [];
  try {
    for await (const record of readCsvRecords(toSingleChunk(head), { ...format, skipLines: 0 })) {
      records.push(record);
      if (records.length >= sampleRowsMax) break;
    }
  } catch {
    // The bytes may end within a row or character; the records before it are enough.
  }
  return records;
}

async function* toSingleChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

type HeaderRow = { index: number; score: number; roles: Map<HeaderRole, string[]>; cells: string[] };

/** Finds the row with the most known headings, including at least a date and an amount. */
function findHeader(records: CsvRecord[]) {
  let best: HeaderRow | undefined;
  for (const [index, { cells, line }] of records.entries()) {
    if (line > headerLinesMax) break;
    const roles = getRoles(cells);
    const score = [...roles.values()].flat().length;
    const isHeader = roles.has('date') && (roles.has('amount') || roles.has('credit'));
    if (isHeader && score > (best?.score ?? 1)) best = { index, score, roles, cells };
  }
  return best;
}

/** Returns the row above the first movement if it is about as wide as the movement and has no date. */
function findUnknownHeader(records: CsvRecord[]) {
  const first = records.findIndex(({ cells }) => cells.some(isDateCell) && cells.some(isAmountCell));
  const above = records[first - 1];
  if (!above || first > headerLinesMax || above.cells.some(isDateCell)) return undefined;
  const isHeader =
    above.cells.filter(Boolean).length > 1 && above.cells.length >= records[first]!.cells.length - 1;
  return isHeader ? { index: first - 1, score: 0, roles: new Map(), cells: above.cells } : undefined;
}

/** Maps roles to columns. Each role has the first of its columns; only `references` may have several. */
function getRoles(cells: string[]): Map<HeaderRole, string[]> {
  const roles = new Map<HeaderRole, string[]>();
  const usedCells = new Set<string>();
  for (const [index, cell] of cells.entries()) {
    const role = getRole(cell);
    if (role === undefined || (role !== 'references' && roles.has(role))) continue;
    // A repeated header does not identify its column, so the number of the column is used.
    const column =
      usedCells.has(cell) || cells.indexOf(cell) !== cells.lastIndexOf(cell) ? `#${index + 1}` : cell;
    usedCells.add(cell);
    roles.set(role, [...(roles.get(role) ?? []), column]);
  }
  // A column with the heading of a time may contain both date and time.
  if (!roles.has('date') && roles.has('time')) roles.set('date', roles.get('time')!);
  if (roles.get('date')?.[0] === roles.get('time')?.[0]) roles.delete('time');
  return roles;
}

const roleByHeading = new Map<string, HeaderRole>(
  Object.entries(headerWords).flatMap(([role, words]) =>
    words.map((word) => [foldHeading(word), role as HeaderRole] as const),
  ),
);

/** The maximum length of a heading. A limit is needed, because some patterns take quadratic time. */
const headingLengthMax = 200;

function getRole(cell: string): HeaderRole | undefined {
  if (cell.length > headingLengthMax) return undefined;
  // `Reference 1` and `Transaction Ref3` are parts of the payer's text, even if the heading without its number has
  // another role.
  if (/^(transaction )?(ref|reference) ?\d$/.test(cell.normalize('NFKC').trim().toLowerCase()))
    return 'references';
  const exactRole = roleByHeading.get(foldHeading(cell));
  if (exactRole) return exactRole;
  // The heading may be in two languages, such as `Date 日期` or `วันที่ / Date`.
  const parts = cell.split(/\s*[/|\n]\s*|(?<=[ -~])\s+(?=[^ -~])|(?<=[^ -~])\s+(?=[ -~])/);
  return parts.map((part) => roleByHeading.get(foldHeading(part))).find((role) => role !== undefined);
}

function foldHeading(text: string): string {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .replace(/\([^)]*\)|\[[^\]]*\]/g, '')
      .replace(/[.:*_\s]+/g, ' ')
      // For example `Transaction Description 2`.
      .replace(/(?<=\p{L}{3}) ?\d$/u, '')
      .trim()
  );
}

function guessColumns(
  header: { cells: string[]; roles: Map<HeaderRole, string[]> } | undefined,
  rows: CsvRecord[],
  currency: string,
): Omit<CsvMapping, 'encoding' | 'delimiter' | 'skipLines' | 'hasHeader'> {
  return {
    ...(header ? guessColumnsByHeader(header, rows) : guessColumnsByValues(rows)),
    ...guessValues(rows, currency),
  };
}

type GuessedValues = Pick<CsvMapping, 'dateOrder' | 'hasBuddhistYears' | 'decimalMark' | 'footerRows'>;

function guessValues(rows: CsvRecord[], currency: string): GuessedValues {
  const cells = rows.flatMap(({ cells }) => cells);
  return {
    ...guessDateOrder(cells, currency),
    decimalMark: guessDecimalMark(cells, currency),
    footerRows: countFooterRows(rows),
  };
}

/**
 * Counts the short rows at the end, which hold totals and notes. Returns 0 if `rows` may not include the end of the
 * file.
 */
function countFooterRows(rows: CsvRecord[]): number {
  if (rows.length >= sampleRowsMax - headerLinesMax) return 0;
  const usualWidth = Math.max(0, ...rows.map(({ cells }) => cells.length));
  const isMovement = ({ cells }: CsvRecord) => cells.some(isDateCell) && cells.some(isAmountCell);
  let count = 0;
  while (count < rows.length) {
    const row = rows[rows.length - 1 - count]!;
    if (isMovement(row) || row.cells.filter(Boolean).length >= usualWidth / 2) break;
    count += 1;
  }
  return count < rows.length ? count : 0;
}
