import { splitIntoBlocks } from '../kit/split-into-blocks.ts';
import { byteOrderMark } from './byte-order-mark.ts';
import { decodeText } from './decode-text.ts';
import { invalidStatement } from './invalid-statement.ts';

/** A line of a text file without its end, counted from 1. */
export type TextLine = { text: string; line: number };

/** Far above what any statement format knows. */
const lengthMax = 10_000;

const blockSize = 64 * 1024;

/**
 * The lines of a text file that does not say its encoding, in batches, one for each block read. Line ends are LF,
 * CRLF or CR. UTF-16 is known by its byte order mark; else each line that is UTF-8 is read as such, any other as
 * windows-1252, which is what the banks' systems that do not write UTF-8 use.
 */
export async function* textLines(source: AsyncIterable<Uint8Array>): AsyncGenerator<TextLine[]> {
  const lines = createLineSplitter();
  for await (const piece of rawText(source)) yield lines.add(piece);
  yield lines.end();
}

/** Text in which each character is one byte, or, of UTF-16, one character. */
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
  // biome-ignore lint/suspicious/noControlCharactersInRegex: plain ASCII is what is looked for
  if (/^[\u0000-\u007F]*$/.test(line)) return line;
  const bytes = Buffer.from(line, 'latin1');
  try {
    return utf8.decode(bytes);
  } catch {
    return windows1252.decode(bytes);
  }
}
