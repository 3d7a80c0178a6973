import { splitIntoBlocks } from '../kit/split-into-blocks.ts';
import { findByteOrderMark } from './byte-order-mark.ts';
import { decodeText } from './decode-text.ts';
import { invalidStatementError } from './invalid-statement.ts';

/** A line of a text file without its line break; `line` counts from 1. */
export type TextLine = { text: string; line: number };

/** The maximum length of a line, far longer than any line in a statement format. */
const lineLengthMax = 10_000;

const blockSize = 64 * 1024;

/**
 * Yields the lines of a text file of unknown encoding, in one batch per block. Lines end with LF, CRLF or CR. UTF-16 is
 * recognized by its byte order mark. Otherwise, each line is decoded as UTF-8 if it is valid UTF-8, and as windows-1252
 * if not: banks that do not use UTF-8 use windows-1252.
 */
export async function* readTextLines(source: AsyncIterable<Uint8Array>): AsyncGenerator<TextLine[]> {
  const lines = createLineSplitter();
  for await (const piece of readRawText(source)) yield lines.add(piece);
  yield lines.end();
}

/** Text with one character per byte or, for UTF-16, decoded text. `decode` decodes a line of it. */
type RawText = { text: string; decode(line: string): string };

async function* readRawText(source: AsyncIterable<Uint8Array>): AsyncGenerator<RawText> {
  const blocks = splitIntoBlocks(source, { size: blockSize });
  const { value: first } = await blocks.next();
  if (!first) throw invalidStatementError(1, 'the file is empty');
  const mark = findByteOrderMark(first);
  const rest = async function* () {
    yield first.subarray(mark?.size ?? 0);
    yield* blocks;
  };
  if (!mark || mark.encoding === 'utf-8') {
    for await (const block of rest())
      yield { text: Buffer.from(block).toString('latin1'), decode: decodeBytes };
    return;
  }
  for await (const { text } of decodeText(rest(), mark)) yield { text, decode: (line) => line };
}

function createLineSplitter() {
  let carry = '';
  let line = 1;
  let decode: RawText['decode'] = decodeBytes;
  const toLines = (texts: string[]): TextLine[] =>
    texts.map((text) => {
      if (text.includes('\0'))
        throw invalidStatementError(line, 'this is not a text file: it contains the character U+0000');
      return { text: decode(text), line: line++ };
    });
  return {
    add(piece: RawText): TextLine[] {
      decode = piece.decode;
      const texts = (carry + piece.text).split(/\r\n|\n|\r(?!$)/);
      carry = texts.pop()!;
      const longIndex = texts.findIndex((text) => text.length > lineLengthMax);
      if (longIndex !== -1 || carry.length > lineLengthMax) {
        throw invalidStatementError(
          line + (longIndex === -1 ? texts.length : longIndex),
          `a line is longer than ${lineLengthMax} characters`,
        );
      }
      return toLines(texts);
    },
    end: (): TextLine[] => toLines(carry.replace(/\r$/, '') === '' ? [] : [carry.replace(/\r$/, '')]),
  };
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const windows1252 = new TextDecoder('windows-1252');

function decodeBytes(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches plain ASCII
  if (/^[\u0000-\u007F]*$/.test(line)) return line;
  const bytes = Buffer.from(line, 'latin1');
  try {
    return utf8.decode(bytes);
  } catch {
    return windows1252.decode(bytes);
  }
}
