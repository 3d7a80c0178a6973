import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { splitIntoBlocks } from '../kit/split-into-blocks.ts';
import { byteOrderMark } from './byte-order-mark.ts';
import type { CsvMapping } from './csv-mapping.ts';
import { decodeText } from './decode-text.ts';
import { invalidStatement } from './invalid-statement.ts';

/** A row of a CSV file as it stands there, and the line it begins on, counted from 1. */
export type CsvRecord = { cells: string[]; line: number };

/** Far above what any bank writes into a row. */
const recordCharactersMax = 64 * 1024;
const blockSize = 64 * 1024;

/** How a file is cut into rows. */
export type CsvFormat = Pick<CsvMapping, 'encoding' | 'delimiter' | 'skipLines'>;

/**
 * The rows of a CSV file (RFC 4180, with what banks make of it: any of four delimiters, quotes inside a field that is
 * not quoted, `="…"` as spreadsheets write it), blank ones left out. A stream. Errors: `invalid_statement` for bytes
 * that are not of the encoding, a quoted field that does not end, and a row beyond all measure.
 */
export async function* csvRecords(
  source: AsyncIterable<Uint8Array>,
  { encoding, delimiter, skipLines }: CsvFormat,
): AsyncGenerator<CsvRecord> {
  let line = skipLines + 1;
  const parser = parse({
    delimiter,
    record_delimiter: '\n',
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: recordCharactersMax,
    // Rows are numbered as they are cut: a fault in the next one drops those that nobody has taken yet.
    on_record: (cells, { lines }) => {
      const numbered = [String(line), ...cells];
      line = skipLines + lines + 1;
      return numbered;
    },
  });
  const text = readTextAfterSkip(source, { encoding, skipLines });
  pipeline(Readable.from(text), parser, () => {});
  try {
    for await (const [lineNumber, ...cells] of parser as AsyncIterable<string[]>) {
      if (cells.some((cell) => cell.trim() !== ''))
        yield { cells: cells.map(plainCell), line: Number(lineNumber) };
    }
  } catch (error) {
    if (error instanceof CsvError) throw invalidStatement(line, getReason(error));
    throw error;
  }
}

function getReason(error: CsvError): string {
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') return 'a quoted field in this row is not closed';
  if (error.code === 'CSV_MAX_RECORD_SIZE') return `a row longer than ${recordCharactersMax} characters`;
  return 'this row is not valid CSV';
}

/** Spreadsheets keep leading zeros by a formula, and digits as they are by an apostrophe. */
function plainCell(cell: string): string {
  const text = cell.trim().replace(/^'(?=\d)/, '');
  return /^="[^"]*"$/.test(text) ? text.slice(2, -1) : text;
}

/** The decoded text without its byte order mark and its first lines. */
async function* readTextAfterSkip(
  source: AsyncIterable<Uint8Array>,
  { encoding, skipLines }: Pick<CsvFormat, 'encoding' | 'skipLines'>,
): AsyncGenerator<string> {
  let toSkip = skipLines;
  for await (const { text, line } of decodeText(skipByteOrderMark(source, encoding), { encoding })) {
    if (text.includes('\0')) {
      const before = text.slice(0, text.indexOf('\0')).split('\n').length - 1;
      throw invalidStatement(line + before, 'character U+0000: this is not a text file');
    }
    let from = 0;
    for (; toSkip > 0; toSkip -= 1) {
      const at = text.indexOf('\n', from);
      if (at === -1) break;
      from = at + 1;
    }
    if (toSkip === 0) yield text.slice(from);
  }
}

async function* skipByteOrderMark(
  source: AsyncIterable<Uint8Array>,
  encoding: CsvMapping['encoding'],
): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  for await (const block of splitIntoBlocks(source, { size: blockSize })) {
    const mark = isFirst ? byteOrderMark(block) : undefined;
    isFirst = false;
    yield mark?.encoding === encoding ? block.subarray(mark.size) : block;
  }
}
