import sax from 'sax';
import { splitIntoBlocks } from '../kit/split-into-blocks.ts';
import { findByteOrderMark } from './byte-order-mark.ts';
import type { CsvRecord } from './csv-records.ts';
import { decodeText } from './decode-text.ts';
import { invalidStatementError } from './invalid-statement.ts';

/** The limits are far above what any export needs. */
const limits = { textLength: 65_536, cells: 500, doctypeLength: 1_000, depth: 2_000 };
const blockSize = 64 * 1024;
/** The parser rescans unfinished markup, so it gets small chunks. */
const chunkSize = 1_024;

type HtmlState = {
  rows: CsvRecord[];
  cells: string[] | undefined;
  text: string | undefined;
  line: number;
  depth: number;
};

/**
 * Streams the non-blank rows of all tables of an HTML page, which many banks offer as `.xls`. Unclosed tags are
 * tolerated, scripts are ignored, and nothing is fetched.
 */
export async function* readHtmlRecords(source: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRecord> {
  const state: HtmlState = { rows: [], cells: undefined, text: undefined, line: 1, depth: 0 };
  const parser = createParser(state);
  let rowCount = 0;
  for await (const text of readHtmlText(source)) {
    for (let at = 0; at < text.length; at += chunkSize) {
      parser.write(text.slice(at, at + chunkSize));
      checkLimits(parser, state);
    }
    rowCount += state.rows.length;
    yield* state.rows.splice(0);
  }
  parser.close();
  endRow(state);
  if (rowCount + state.rows.length === 0)
    throw invalidStatementError(
      1,
      'this HTML page has no table; it may be an error or sign-in page of the bank',
    );
  yield* state.rows;
}

async function* readHtmlText(source: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const blocks = splitIntoBlocks(source, { size: blockSize });
  const { value: first } = await blocks.next();
  if (!first) throw invalidStatementError(1, 'the file is empty');
  const mark = findByteOrderMark(first);
  const encoding = mark?.encoding ?? findDeclaredEncoding(first);
  const rest = async function* () {
    yield first.subarray(mark?.size ?? 0);
    yield* blocks;
  };
  for await (const { text } of decodeText(rest(), { encoding })) yield text;
}

/** Returns the encoding that the page declares, or else the one in which its beginning is valid. */
function findDeclaredEncoding(head: Uint8Array): string {
  const text = Buffer.from(head.subarray(0, 4096)).toString('latin1');
  const [, label = ''] = /charset\s*=\s*["']?([\w-]+)/i.exec(text) ?? [];
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return isUtf8(head) ? 'utf-8' : 'windows-1252';
  }
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

type HtmlParser = sax.SAXParser & {
  doctype?: string | true;
  sgmlDecl?: string;
  attribList?: unknown[];
  textNode?: string;
};

function createParser(state: HtmlState): HtmlParser {
  const parser: HtmlParser = sax.parser(false, { lowercase: true, position: true });
  parser.onerror = () => {
    // Browsers ignore such errors too; the preview shows the result.
    parser.error = null as never;
    parser.resume();
  };
  parser.onopentag = ({ name, attributes }) => {
    state.depth += 1;
    if (name === 'tr') startRow(state, parser.line + 1);
    else if (name === 'td' || name === 'th') startCell(state, Number(attributes.colspan ?? 1));
    else if (name === 'br' && state.text !== undefined) state.text += '\n';
  };
  parser.onclosetag = (name) => {
    state.depth -= 1;
    if (name === 'td' || name === 'th') endCell(state);
    else if (name === 'tr' || name === 'table') endRow(state);
  };
  parser.ontext = (text) => {
    if (state.text !== undefined) state.text += text;
  };
  parser.oncdata = parser.ontext;
  return parser;
}

function checkLimits(
  { doctype, sgmlDecl, attribList, textNode }: HtmlParser,
  { text, cells, depth, line }: HtmlState,
): void {
  const declarationLength = typeof doctype === 'string' ? doctype.length : (sgmlDecl?.length ?? 0);
  const isExceeded =
    declarationLength > limits.doctypeLength ||
    (attribList?.length ?? 0) > limits.cells ||
    (text?.length ?? 0) > limits.textLength ||
    (textNode?.length ?? 0) > limits.textLength ||
    (cells?.length ?? 0) > limits.cells ||
    depth > limits.depth;
  if (isExceeded) throw invalidStatementError(line, 'the HTML table has a cell or row that is too large');
}

function startRow(state: HtmlState, line: number): void {
  endRow(state);
  state.cells = [];
  state.line = line;
}

function startCell(state: HtmlState, columnSpan: number): void {
  endCell(state);
  const span = Number.isSafeInteger(columnSpan) ? Math.min(columnSpan, limits.cells) : 1;
  state.text = '';
  for (let index = 1; index < span; index += 1) state.cells?.push('');
}

function endCell(state: HtmlState): void {
  if (state.text === undefined) return;
  state.cells?.push(state.text.replace(/[^\S\n]+/g, ' ').trim());
  state.text = undefined;
}

function endRow(state: HtmlState): void {
  endCell(state);
  const { cells, line } = state;
  if (cells?.some((cell) => cell !== '')) state.rows.push({ cells, line, hasFixedColumns: true });
  state.cells = undefined;
}
