import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { parse as parseWhole } from 'csv-parse/sync';
import { splitIntoBlocks } from '../kit/split-into-blocks.ts';
import { findByteOrderMark } from './byte-order-mark.ts';
import { isAmountCell, isDateCell } from './csv-guess-values.ts';
import type { CsvMapping } from './csv-mapping.ts';
import { decodeText } from './decode-text.ts';
import { invalidStatementError } from './invalid-statement.ts';

/** A row of a table, as text. `line` is the number of its first line, or of its row in a workbook, counted from 1. */
export type CsvRecord = {
  cells: string[];
  line: number;
  /** Set on the last row if no line break follows, so that its last cell may be cut unless it is quoted. */
  unterminated?: 'bare' | 'quoted';
  /** Whether the file says in which column each cell is, so that cells cannot shift. */
  hasFixedColumns?: boolean;
};

/** The maximum length of a row, far more than any bank writes. */
const recordLengthMax = 64 * 1024;
const blockSize = 64 * 1024;

type CsvFormat = Pick<CsvMapping, 'encoding' | 'delimiter' | 'skipLines'>;

/** Called with each row that the mapping skips at the top. */
export type SkippedRowListener = (record: CsvRecord) => void;

/**
 * Streams the non-blank rows of a CSV file (RFC 4180). Also accepts other delimiters, quotes inside an unquoted
 * field, space around a quoted one, and the spreadsheet form `="…"`.
 */
export async function* readCsvRecords(
  source: AsyncIterable<Uint8Array>,
  { encoding, delimiter, skipLines }: CsvFormat,
  onSkipped?: SkippedRowListener,
): AsyncGenerator<CsvRecord> {
  let line = skipLines + 1;
  const parser = parse({
    delimiter,
    record_delimiter: '\n',
    relax_column_count: true,
    relax_quotes: true,
    ltrim: delimiter !== '\t',
    max_record_size: recordLengthMax,
    // Each row gets its line number when it is parsed: an error drops the rows that are parsed but not consumed yet, so
    // counting the consumed rows would be wrong.
    on_record: (cells, { lines }) => {
      const numberedCells = [String(line), ...cells];
      line = skipLines + lines + 1;
      return numberedCells;
    },
  });
  const end = { text: '\n' };
  const onSkippedLine = (skippedLine: string, number: number) =>
    onSkipped?.({ cells: splitLine(skippedLine, delimiter).map(unprotectCell), line: number });
  const text = readTextAfterSkippedLines(source, { encoding, skipLines, end, onSkippedLine });
  pipeline(Readable.from(text), parser, () => {});
  let previous: CsvRecord | undefined;
  let columns: number | undefined;
  try {
    for await (const [lineNumber, ...cells] of parser as AsyncIterable<string[]>) {
      if (cells.every((cell) => cell.trim() === '')) continue;
      const width = countColumns(cells);
      const shortest = Math.min(columns ?? 0, width);
      checkEnclosedRows({ cells, line: Number(lineNumber) }, { delimiter, columns: shortest });
      columns = Math.min(columns ?? width, cells.length);
      if (previous) yield previous;
      previous = { cells: cells.map(unprotectCell), line: Number(lineNumber) };
    }
    if (previous) yield { ...previous, ...findMissingLineEnd(end.text) };
  } catch (error) {
    if (error instanceof CsvError) throw invalidStatementError(line, getReason(error));
    throw error;
  }
}

/** Returns the number of columns of the first row, without a delimiter at its end that other rows may lack. */
function countColumns(cells: string[]): number {
  return cells.findLastIndex((cell) => cell.trim() !== '') + 1;
}

/**
 * Throws if a text of several lines contains another row with a date and an amount, and with as many cells as its own
 * row or the shortest row before it. Two texts that begin with a stray quote join their rows and those between them.
 */
function checkEnclosedRows(
  { cells, line }: CsvRecord,
  { delimiter, columns }: { delimiter: string; columns: number },
): void {
  const isMovement = (row: string[]) => {
    const parts = row.map((part) => unprotectCell(part.replace(/["=]/g, '')));
    return parts.length >= columns && parts.some(isDateCell) && parts.some(isAmountCell);
  };
  let cellLine = line;
  for (const [index, cell] of cells.entries()) {
    if (!cell.includes('\n')) continue;
    const lines = cell.split('\n').map((text) => text.split(delimiter));
    // The first and the last line are only parts of their rows, which the cells before and after complete.
    const rows = lines.map((parts, at) => [
      ...(at === 0 ? cells.slice(0, index) : []),
      ...parts,
      ...(at === lines.length - 1 ? cells.slice(index + 1) : []),
    ]);
    const joined = rows.filter((row, at) => lines[at]!.length > 1 && isMovement(row));
    if (joined.length > 1 || lines.some(isMovement))
      throw invalidStatementError(
        cellLine,
        'a text of this row contains another row with a date and an amount: a quote is not closed',
      );
    cellLine += lines.length - 1;
  }
}

/** Splits a line above the table, which need not be valid CSV. */
function splitLine(line: string, delimiter: string): string[] {
  try {
    const [cells = []] = parseWhole(line, { delimiter, relax_column_count: true, relax_quotes: true });
    return cells;
  } catch (error) {
    if (error instanceof CsvError) return line.split(delimiter);
    throw error;
  }
}

function getReason(error: CsvError): string {
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') return 'a quoted field in this row is not closed';
  if (error.code === 'CSV_MAX_RECORD_SIZE') return `a row is longer than ${recordLengthMax} characters`;
  return 'this row is not valid CSV';
}

function findMissingLineEnd(end: string): Pick<CsvRecord, 'unterminated'> {
  const lastRow = end.trimEnd();
  if (end.slice(lastRow.length).includes('\n')) return {};
  return { unterminated: lastRow.endsWith('"') ? 'quoted' : 'bare' };
}

/**
 * Removes the characters that spreadsheets add to protect text: a formula around it, or an apostrophe before
 * it. Also removes quotes that the parser keeps because a space or tab follows them.
 */
function unprotectCell(cell: string): string {
  const text = cell.trim().replace(/^'(?=[\dA-Z])/, '');
  return /^=?"[^"]*"$/.test(text) ? text.slice(text.indexOf('"') + 1, -1).trim() : text;
}

/** Long enough for the spaces that a file may end with. */
const endLengthMax = 200;

/**
 * Decodes the text without the byte order mark and the skipped lines. `end.text` receives the last characters of the
 * file.
 */
async function* readTextAfterSkippedLines(
  source: AsyncIterable<Uint8Array>,
  {
    encoding,
    skipLines,
    end,
    onSkippedLine,
  }: Pick<CsvFormat, 'encoding' | 'skipLines'> & {
    end: { text: string };
    onSkippedLine: (line: string, number: number) => void;
  },
): AsyncGenerator<string> {
  let linesToSkip = skipLines;
  let skippedText = '';
  for await (const piece of decodeText(skipByteOrderMark(source, encoding), { encoding })) {
    const { line } = piece;
    const text = withoutEndMarks(piece.text);
    end.text = (end.text + text).slice(-endLengthMax);
    if (text.includes('\0')) {
      const before = text.slice(0, text.indexOf('\0')).split('\n').length - 1;
      throw invalidStatementError(line + before, 'this is not a text file: it contains the character U+0000');
    }
    let from = 0;
    for (; linesToSkip > 0; linesToSkip -= 1) {
      const at = text.indexOf('\n', from);
      if (at === -1) {
        skippedText = (skippedText + text.slice(from)).slice(0, recordLengthMax);
        break;
      }
      onSkippedLine(skippedText + text.slice(from, at), skipLines - linesToSkip + 1);
      skippedText = '';
      from = at + 1;
    }
    if (linesToSkip === 0) yield text.slice(from);
  }
}

async function* skipByteOrderMark(
  source: AsyncIterable<Uint8Array>,
  encoding: CsvMapping['encoding'],
): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  for await (const block of splitIntoBlocks(source, { size: blockSize })) {
    const mark = isFirst ? findByteOrderMark(block) : undefined;
    isFirst = false;
    yield mark?.encoding === encoding ? block.subarray(mark.size) : block;
  }
}

/** Removes the end-of-file character of mainframes and old file systems, with the zeros that pad the last block. */
function withoutEndMarks(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches U+001A and U+0000
  return text.replace(/\u001A\0*$/, '');
}
