import { guessDateOrder, guessDecimalMark } from './csv-guess-values.ts';
import type { CsvEncoding, CsvMapping } from './csv-mapping.ts';
import { csvDelimiters, csvEncodings } from './csv-mapping.ts';
import { type CsvRecord, csvRecords } from './csv-records.ts';
import { bookedWords, creditWords, debitWords, type HeaderRole, headerWords } from './csv-words.ts';

/** Header rows stand among the first; above them banks write names, numbers and periods of accounts. */
const headerLinesMax = 40;
const sampleRowsMax = 200;

/**
 * Suggests how a CSV file is read, from its first bytes: encoding by its mark or by what decodes, delimiter and header
 * by the words banks write above their columns, order of dates and the decimal mark by the values. A person looks at the
 * preview before anything is imported. Where there is no header that is known, columns are left for the person.
 */
export async function guessCsvMapping(
  head: Uint8Array,
  { currency }: { currency: string },
): Promise<CsvMapping> {
  const encoding = guessEncoding(head);
  const candidates = await Promise.all(
    csvDelimiters.map(async (delimiter) => {
      const records = await firstRecords(head, { encoding, delimiter });
      return { delimiter, records, header: findHeader(records) };
    }),
  );
  const width = ({ records }: { records: CsvRecord[] }) =>
    Math.max(0, ...records.map(({ cells }) => cells.length));
  const best = candidates.reduce((a, b) => better(a, b, width));
  const { delimiter, records, header } = best;
  const rows = records.slice((header?.index ?? -1) + 1, sampleRowsMax);
  const form = {
    encoding,
    delimiter,
    skipLines: header ? records[header.index]!.line - 1 : 0,
    hasHeader: header !== undefined,
  };
  return { ...form, ...guessColumns(header?.roles ?? new Map(), rows, currency) };
}

type Candidate = { header: { score: number } | undefined; records: CsvRecord[] };

/** The known header decides, else the delimiter that makes the most columns. */
function better<T extends Candidate>(a: T, b: T, width: (one: T) => number): T {
  const byHeader = (b.header?.score ?? 0) - (a.header?.score ?? 0);
  return byHeader > 0 || (byHeader === 0 && width(b) > width(a)) ? b : a;
}

/** What decodes without a fault and holds the most words of a header. */
function guessEncoding(head: Uint8Array): CsvEncoding {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const words = Object.values(headerWords)
    .flat()
    .filter((word) => /[^ -~]/.test(word));
  let best: { encoding: CsvEncoding; score: number } | undefined;
  for (const encoding of csvEncodings) {
    if (encoding.startsWith('utf-16')) continue;
    const text = decode(head, encoding);
    if (text === undefined) continue;
    if (encoding === 'utf-8') return encoding;
    const score = words.filter((word) => text.includes(word)).length;
    if (!best || score > best.score) best = { encoding, score };
  }
  return best?.encoding ?? 'windows-1252';
}

/** `stream` leaves a character that is cut off at the end alone. */
function decode(head: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(head, { stream: true });
  } catch {
    return undefined;
  }
}

async function firstRecords(
  head: Uint8Array,
  form: { encoding: CsvEncoding; delimiter: CsvMapping['delimiter'] },
): Promise<CsvRecord[]> {
  const records: CsvRecord[] = [];
  try {
    for await (const record of csvRecords(only(head), { ...form, skipLines: 0 })) {
      records.push(record);
      if (records.length >= sampleRowsMax) break;
    }
  } catch {
    // The sample ends somewhere within a row or a character: what came before is enough.
  }
  return records;
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** The row with the most cells that say what stands below them; at least a date and an amount. */
function findHeader(records: CsvRecord[]) {
  let best: { index: number; score: number; roles: Map<HeaderRole, string[]> } | undefined;
  for (const [index, { cells, line }] of records.entries()) {
    if (line > headerLinesMax) break;
    const roles = rolesOf(cells);
    const score = [...roles.values()].flat().length;
    const isHeader = roles.has('date') && (roles.has('amount') || roles.has('credit'));
    if (isHeader && score > (best?.score ?? 1)) best = { index, score, roles };
  }
  return best;
}

/** Which column says what. Of a role that is held by one column the first counts; references may be several. */
function rolesOf(cells: string[]): Map<HeaderRole, string[]> {
  const roles = new Map<HeaderRole, string[]>();
  const seen = new Set<string>();
  for (const [index, cell] of cells.entries()) {
    const role = roleOf(cell);
    if (role === undefined || (role !== 'references' && roles.has(role))) continue;
    // A header that stands there twice does not name its column.
    const column = seen.has(cell) || cells.indexOf(cell) !== cells.lastIndexOf(cell) ? `#${index + 1}` : cell;
    seen.add(cell);
    roles.set(role, [...(roles.get(role) ?? []), column]);
  }
  return roles;
}

const roleByWord = new Map<string, HeaderRole>(
  Object.entries(headerWords).flatMap(([role, words]) =>
    words.map((word) => [fold(word), role as HeaderRole] as const),
  ),
);

function roleOf(cell: string): HeaderRole | undefined {
  const whole = roleByWord.get(fold(cell));
  if (whole) return whole;
  // Two languages side by side: `Date 日期`, `วันที่ / Date`.
  const parts = cell.split(/\s*[/|\n]\s*|(?<=[ -~])\s+(?=[^ -~])|(?<=[^ -~])\s+(?=[ -~])/);
  return parts.map((part) => roleByWord.get(fold(part))).find((role) => role !== undefined);
}

function fold(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\([^)]*\)|\[[^\]]*\]/g, '')
    .replace(/[.:*_\s]+/g, ' ')
    .trim();
}

function guessColumns(
  roles: Map<HeaderRole, string[]>,
  rows: CsvRecord[],
  currency: string,
): Omit<CsvMapping, 'encoding' | 'delimiter' | 'skipLines' | 'hasHeader'> {
  return { ...roleMembers(roles), ...guessValues(rows, currency) };
}

type Values = Pick<CsvMapping, 'dateOrder' | 'buddhistYears' | 'decimalMark' | 'footerRows'>;

function guessValues(rows: CsvRecord[], currency: string): Values {
  const cells = rows.flatMap(({ cells }) => cells);
  return {
    ...guessDateOrder(cells),
    decimalMark: guessDecimalMark(cells, currency),
    footerRows: footerOf(rows),
  };
}

/** Rows at the end with fewer cells than all others: sums and the bank's small print. Only where the sample holds the end. */
function footerOf(rows: CsvRecord[]): number {
  if (rows.length >= sampleRowsMax - headerLinesMax) return 0;
  const usual = Math.max(0, ...rows.map(({ cells }) => cells.length));
  let count = 0;
  while (count < rows.length && rows[rows.length - 1 - count]!.cells.filter(Boolean).length < usual / 2)
    count += 1;
  return count < rows.length ? count : 0;
}

function roleMembers(roles: Map<HeaderRole, string[]>) {
  const first = (role: HeaderRole) => roles.get(role)?.[0];
  const optional = (member: string, role: HeaderRole) => {
    const column = first(role);
    return column === undefined ? {} : { [member]: column };
  };
  const amount = roles.has('credit')
    ? { amountKind: 'columns' as const, ...optional('credit', 'credit'), ...optional('debit', 'debit') }
    : roles.has('direction')
      ? {
          amountKind: 'direction' as const,
          ...optional('amount', 'amount'),
          ...optional('direction', 'direction'),
          creditWords,
          debitWords,
        }
      : { amountKind: 'signed' as const, amount: first('amount') ?? '#2' };
  return {
    ...amount,
    date: first('date') ?? '#1',
    ...optional('time', 'time'),
    ...optional('valueDate', 'valueDate'),
    ...optional('currency', 'currency'),
    references: roles.get('references') ?? [],
    ...optional('payerName', 'payerName'),
    ...optional('payerAccount', 'payerAccount'),
    ...optional('bankReference', 'bankReference'),
    ...(roles.has('status') && { ...optional('status', 'status'), bookedWords }),
  };
}
