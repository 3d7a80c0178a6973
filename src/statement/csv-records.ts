import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { splitIntoBlocks } from '../kit/split-into-blocks.ts';
import { byteOrderMark } from './byte-order-mark.ts';
import type { CsvMapping } from './csv-mapping.ts';
import { decodeText } from './decode-text.ts';
import { invalidStatement } from './invalid-statement.ts';

/** An unconverted row of a CSV file with its first line, counted from 1. */
export type CsvRecord = { cells: string[]; line: number };

/** Far more than any bank writes into a row. */
const recordCharactersMax = 64 * 1024;
const blockSize = 64 * 1024;

export type CsvFormat = Pick<CsvMapping, 'encoding' | 'delimiter' | 'skipLines'>;

/**
 * Streams the non-blank rows of a CSV file (RFC 4180). Also accepts any of four delimiters, quotes inside an
 * unquoted field, and the spreadsheet form `="…"`. Throws `invalid_statement` for invalid bytes, an unclosed
 * quoted field or an oversized row.
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
    // Rows get their line number when parsed, since an error in the next row drops rows not consumed yet.
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

/** Spreadsheets protect leading zeros with a formula, and digits with an apostrophe. */
function plainCell(cell: string): string {
  const text = cell.trim().replace(/^'(?=\d)/, '');
  return /^="[^"]*"$/.test(text) ? text.slice(2, -1) : text;
}

/** Decodes the text without the byte order mark and the skipped lines. */
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
