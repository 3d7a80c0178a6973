import { findByteOrderMark } from './byte-order-mark.ts';
import {
  findColumnIndex,
  guessColumnsByHeader,
  guessColumnsByValues,
  listValues,
} from './csv-guess-columns.ts';
import { guessDateOrder, guessDecimalMark, isDateCell } from './csv-guess-values.ts';
import { findHeader, findUnknownHeader, headerLinesMax } from './csv-header.ts';
import { type CsvEncoding, type CsvMapping, csvDelimiters, csvEncodings } from './csv-mapping.ts';
import type { PresetRules } from './csv-preset.ts';
import { findPreset } from './csv-presets.ts';
import { type CsvQuestion, findAmountQuestions, findStatusQuestions } from './csv-questions.ts';
import type { CsvRecord } from './csv-records.ts';
import { headerWords } from './csv-words.ts';
import { peekBytes } from './peek-bytes.ts';
import { detectTableKind, listSheetNames, readTableRecords, type TableFormat } from './table-records.ts';

const sampleRowsMax = 400;
const headSize = 256 * 1024;

type CsvGuess = {
  mapping: CsvMapping;
  /** The decisions that a person must make before the mapping may be used. */
  questions: CsvQuestion[];
  /** The bank whose export has exactly this header. */
  bank?: string | undefined;
};

type GuessOptions = {
  /** The account's currency. */
  currency: string;
  /** The import day, `YYYY-MM-DD`. */
  today?: string | undefined;
};

/**
 * Guesses the mapping of a table from its first rows. The header is that of a known bank, or the row with the most
 * known column headings. Date order and decimal mark result from the values. Without a known heading, the values
 * determine the columns.
 */
export async function guessCsvMapping(
  open: () => AsyncIterable<Uint8Array>,
  options: GuessOptions,
): Promise<CsvGuess> {
  const { head, close } = await peekBytes(open(), { size: headSize });
  await close();
  const table = detectTableKind(head) === 'text' ? await sampleText(head) : await sampleTable(open);
  return guessFromSample(table, options);
}

/** The first rows of a table, and how they were read. */
type TableSample = { format: TableFormat; records: CsvRecord[]; questions: CsvQuestion[] };

async function sampleText(head: Uint8Array): Promise<TableSample> {
  const encoding = guessEncoding(head);
  const candidates = await Promise.all(
    csvDelimiters.map(async (delimiter) => {
      const format: TableFormat = { encoding, delimiter, skipLines: 0 };
      const records = await readFirstRecords(toSingleChunk(head), format);
      const score = findPreset(records) ? Number.POSITIVE_INFINITY : (findHeader(records)?.score ?? 0);
      return { format, records, score, questions: [] };
    }),
  );
  return candidates.reduce((a, b) => (isBetter(b, a) ? b : a));
}

/** Reads the first rows of a workbook or an HTML table. Of several sheets with movements, a person chooses. */
async function sampleTable(open: () => AsyncIterable<Uint8Array>): Promise<TableSample> {
  const [sheet, ...others] = await listSheetNames(open());
  const format: TableFormat = {
    encoding: 'utf-8',
    delimiter: ',',
    skipLines: 0,
    ...(others.length > 0 && sheet !== undefined && { sheet }),
  };
  const questions = others.map((sample): CsvQuestion => ({ kind: 'sheet', sample }));
  return { format, records: await readFirstRecords(open(), format), questions };
}

/** Returns whether a sample has the better header or, if the headers are equally good, more columns. */
function isBetter(a: TableSample & { score: number }, b: TableSample & { score: number }): boolean {
  const getWidth = ({ records }: TableSample) => Math.max(0, ...records.map(({ cells }) => cells.length));
  // A colon also separates hours and minutes, so it is a delimiter only if it yields the better header.
  if (a.score === b.score) return a.format.delimiter !== ':' && getWidth(a) > getWidth(b);
  return a.score > b.score;
}

function guessFromSample({ format, records, questions }: TableSample, options: GuessOptions): CsvGuess {
  const preset = findPreset(records);
  const header = preset ?? findHeader(records) ?? findUnknownHeader(records);
  const rows = records.slice((header?.index ?? -1) + 1);
  const preamble = records.slice(0, header?.index ?? 0).flatMap(({ cells }) => cells);
  const columns = header ? guessColumnsByHeader(header, rows) : guessColumnsByValues(rows);
  const names = header?.cells ?? [];
  const getValues = (list: (string | undefined)[]) =>
    list.flatMap((name) => listValues(rows, findColumnIndex(names, name)));
  const dates = getValues([columns.dateColumn]).filter(isDateCell);
  const amounts = getValues([columns.amountColumn, columns.creditColumn, columns.debitColumn]);
  const { isAmbiguous: isDateAmbiguous, ...dateRules } = guessDateOrder(dates, { ...options, preamble });
  const { isAmbiguous: isMarkAmbiguous, decimalMark } = guessDecimalMark(amounts, options.currency);
  const sample = amounts.find((cell) => /[.,]/.test(cell)) ?? '';
  const valueQuestions: CsvQuestion[] = [
    ...(isDateAmbiguous && !preset ? [{ kind: 'date_order' as const, sample: dates[0] ?? '' }] : []),
    ...(isMarkAmbiguous && !preset ? [{ kind: 'decimal_mark' as const, sample }] : []),
  ];
  // A known bank signs its amounts, so a file with only credits raises no question.
  const amountQuestions = findAmountQuestions(columns, { header: names, rows }).filter(
    ({ kind }) => kind !== 'sign' || !preset,
  );
  const statusQuestions = preset ? [] : findStatusQuestions(columns, { header: names, rows });
  return {
    mapping: {
      ...format,
      skipLines: header ? records[header.index]!.line - 1 : 0,
      hasHeader: header !== undefined,
      footerRows: 0,
      ...dateRules,
      ...(preset && isDateAmbiguous && { dateOrder: preset.rules.dateOrder }),
      decimalMark: preset && isMarkAmbiguous ? preset.rules.decimalMark : decimalMark,
      ...columns,
      ...(preset && pickPresetRules(preset.rules)),
    },
    questions: [...questions, ...valueQuestions, ...amountQuestions, ...statusQuestions],
    ...(preset && { bank: preset.bank }),
  };
}

function pickPresetRules({ bookedValues, isCreditNegative }: PresetRules): Partial<CsvMapping> {
  return { ...(bookedValues && { bookedValues }), ...(isCreditNegative && { isCreditNegative }) };
}

/**
 * Returns UTF-16 if a byte order mark or the zero bytes show it, UTF-8 if the bytes are valid in it, and otherwise
 * the encoding that decodes without error and yields the most known headings.
 */
function guessEncoding(head: Uint8Array): CsvEncoding {
  const mark = findByteOrderMark(head);
  if (mark && mark.encoding !== 'utf-8') return mark.encoding;
  const utf16 = guessUtf16(head);
  if (utf16) return utf16;
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

/** Recognizes UTF-16 without a byte order mark by the zeros in every second byte of line breaks and digits. */
function guessUtf16(head: Uint8Array): CsvEncoding | undefined {
  const sample = head.subarray(0, 1000);
  const countZeros = (parity: number) =>
    sample.filter((byte, index) => byte === 0 && index % 2 === parity).length;
  const [even, odd] = [countZeros(0), countZeros(1)];
  if (Math.max(even, odd) < sample.length / 8 || Math.min(even, odd) > sample.length / 100) return undefined;
  return odd > even ? 'utf-16le' : 'utf-16be';
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
  source: AsyncIterable<Uint8Array>,
  format: TableFormat,
): Promise<CsvRecord[]> {
  const records: CsvRecord[] = [];
  try {
    for await (const record of readTableRecords(source, format)) {
      records.push(record);
      if (records.length >= sampleRowsMax + headerLinesMax) break;
    }
  } catch {
    // The bytes may end within a row or character; the records before it are enough.
  }
  return records;
}

async function* toSingleChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
