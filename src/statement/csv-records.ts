import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { splitIntoBlocks } from '../kit/split-into-blocks.ts';
import { findByteOrderMark } from './byte-order-mark.ts';
import type { CsvMapping } from './csv-mapping.ts';
import { decodeText } from './decode-text.ts';
import { invalidStatementError } from './invalid-statement.ts';

/** A row of a CSV file, as text. `line` is the number of its first line, counted from 1. */
export type CsvRecord = { cells: string[]; line: number };

/** The maximum length of a row, far more than any bank writes. */
const recordLengthMax = 64 * 1024;
const blockSize = 64 * 1024;

export type CsvFormat = Pick<CsvMapping, 'encoding' | 'delimiter' | 'skipLines'>;

/**
 * Streams the non-blank rows of a CSV file (RFC 4180). Also accepts any of four delimiters, quotes inside an
 * unquoted field, and the spreadsheet form `="…"`. Throws `invalid_statement` for invalid bytes, an unclosed
 * quoted field or an oversized row.
 */
export async function* readCsvRecords(
  source: AsyncIterable<Uint8Array>,
  { encoding, delimiter, skipLines }: CsvFormat,
): AsyncGenerator<CsvRecord> {
  let line = skipLines + 1;
  const parser = parse({
    delimiter,
    record_delimiter: '\n',
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: recordLengthMax,
    // Each row gets its line number when it is parsed: an error drops the rows that are parsed but not consumed yet, so
    // counting the consumed rows would be wrong.
    on_record: (cells, { lines }) => {
      const numberedCells = [String(line), ...cells];
      line = skipLines + lines + 1;
      return numberedCells;
    },
  });
  const text = readTextAfterSkippedLines(source, { encoding, skipLines });
  pipeline(Readable.from(text), parser, () => {});
  try {
    for await (const [lineNumber, ...cells] of parser as AsyncIterable<string[]>) {
      if (cells.some((cell) => cell.trim() !== ''))
        yield { cells: cells.map(unprotectCell), line: Number(lineNumber) };
    }
  } catch (error) {
    if (error instanceof CsvError) throw invalidStatementError(line, getReason(error));
    throw error;
  }
}

function getReason(error: CsvError): string {
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') return 'a quoted field in this row is not closed';
  if (error.code === 'CSV_MAX_RECORD_SIZE') return `a row is longer than ${recordLengthMax} characters`;
  return 'this row is not valid CSV';
}

/** Removes what spreadsheets add to protect digits: a formula around them, or an apostrophe before them. */
function unprotectCell(cell: string): string {
  const text = cell.trim().replace(/^'(?=\d)/, '');
  return /^="[^"]*"$/.test(text) ? text.slice(2, -1) : text;
}

/** Decodes the text without the byte order mark and the skipped lines. */
async function* readTextAfterSkippedLines(
  source: AsyncIterable<Uint8Array>,
  { encoding, skipLines }: Pick<CsvFormat, 'encoding' | 'skipLines'>,
): AsyncGenerator<string> {
  let linesToSkip = skipLines;
  for await (const { text, line } of decodeText(skipByteOrderMark(source, encoding), { encoding })) {
    if (text.includes('\0')) {
      const before = text.slice(0, text.indexOf('\0')).split('\n').length - 1;
      throw invalidStatementError(line + before, 'this is not a text file: it contains the character U+0000');
    }
    let from = 0;
    for (; linesToSkip > 0; linesToSkip -= 1) {
      const at = text.indexOf('\n', from);
      if (at === -1) break;
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
