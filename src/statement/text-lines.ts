import { splitIntoBlocks } from '../kit/split-into-blocks.ts';
import { byteOrderMark } from './byte-order-mark.ts';
import { decodeText } from './decode-text.ts';
import { invalidStatement } from './invalid-statement.ts';

/** A line of a text file without its line break; `line` counts from 1. */
export type TextLine = { text: string; line: number };

/** Far longer than in any statement format. */
const lengthMax = 10_000;

const blockSize = 64 * 1024;

/**
 * Yields the lines of a text file with unknown encoding, in one batch per block. Lines end with LF, CRLF or
 * CR. UTF-16 is recognized by its byte order mark. Otherwise each line is decoded as UTF-8 if valid, else as
 * windows-1252, which banks use that do not write UTF-8.
 */
export async function* textLines(source: AsyncIterable<Uint8Array>): AsyncGenerator<TextLine[]> {
  const lines = createLineSplitter();
  for await (const piece of rawText(source)) yield lines.add(piece);
  yield lines.end();
}

/** Text with one character per byte or, for UTF-16, decoded text. */
type RawText = { text: string; decode(line: string): string };

async function* rawText(source: AsyncIterable<Uint8Array>): AsyncGenerator<RawText> {
  const blocks = splitIntoBlocks(source, { size: blockSize });
  const { value: first } = await blocks.next();
  if (!first) throw invalidStatement(1, 'the file is empty');
  const mark = byteOrderMark(first);
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
      if (text.includes('\0')) throw invalidStatement(line, 'character U+0000: this is not a text file');
      return { text: decode(text), line: line++ };
    });
  return {
    add(piece: RawText): TextLine[] {
      decode = piece.decode;
      const texts = (carry + piece.text).split(/\r\n|\n|\r(?!$)/);
      carry = texts.pop()!;
      const longIndex = texts.findIndex((text) => text.length > lengthMax);
      if (longIndex !== -1 || carry.length > lengthMax) {
        throw invalidStatement(
          line + (longIndex === -1 ? texts.length : longIndex),
          `a line longer than ${lengthMax} characters`,
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
