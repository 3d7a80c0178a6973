import { splitIntoBlocks } from '../kit/split-into-blocks.ts';
import { detectUnmarkedUtf16, findByteOrderMark } from './byte-order-mark.ts';
import { decodeText } from './decode-text.ts';
import { invalidStatementError } from './invalid-statement.ts';

/** A line of a text file without its line break; `line` counts from 1. */
export type TextLine = { text: string; line: number };

/** The maximum length of a line, far longer than any line in a statement format. */
const lineLengthMax = 10_000;

const blockSize = 64 * 1024;

/**
 * Yields the lines of a text file of unknown encoding, in one batch per block. Lines end with LF, CRLF, CR
 * or, if `isMarked` finds them at the beginning of the file, with `@@`. UTF-16 is recognized by its byte
 * order mark or its zero bytes. Otherwise, each line is decoded as UTF-8 if it is valid UTF-8, and if not as
 * GB 18030 (of which GBK is a part) or windows-1252: banks that do not use UTF-8 use these.
 */
export async function* readTextLines(
  source: AsyncIterable<Uint8Array>,
  isMarked: (head: string) => boolean = () => false,
): AsyncGenerator<TextLine[]> {
  const lines = createLineSplitter(isMarked);
  for await (const piece of readRawText(source)) yield lines.add(piece);
  yield lines.end();
}

/** Decoded text, or text with one character per byte, whose lines are decoded one by one. */
type RawText = { text: string; isDecoded: boolean };

export async function* readRawText(source: AsyncIterable<Uint8Array>): AsyncGenerator<RawText> {
  const blocks = splitIntoBlocks(source, { size: blockSize });
  const { value: first } = await blocks.next();
  if (!first) throw invalidStatementError(1, 'the file is empty');
  const mark = findByteOrderMark(first) ?? findUnmarkedUtf16(first);
  const rest = async function* () {
    yield first.subarray(mark?.size ?? 0);
    yield* blocks;
  };
  if (!mark || mark.encoding === 'utf-8') {
    for await (const block of rest()) yield { text: Buffer.from(block).toString('latin1'), isDecoded: false };
    return;
  }
  for await (const { text } of decodeText(rest(), mark)) yield { text, isDecoded: true };
}

function findUnmarkedUtf16(head: Uint8Array) {
  const encoding = detectUnmarkedUtf16(head);
  return encoding && { encoding, size: 0 };
}

/**
 * Returns whether bytes that are not UTF-8 contain two frequent Chinese characters in sequence (GB 2312,
 * level 1). Text in European languages has no four accented letters in sequence.
 */
function looksLikeGbk(line: string): boolean {
  return /(?<![\u0080-\u00FF])(?:[\u00B0-\u00D7][\u00A1-\u00FE]){2}/.test(line) && !isUtf8(line);
}

const lineBreak = /\r\n|\n|\r(?!$)/;
const markedLineBreak = /\r\n|\n|\r(?!$)|@@/;

function createLineSplitter(isMarked: (head: string) => boolean) {
  let pattern: RegExp | undefined;
  let carry = '';
  let line = 1;
  let isDecoded = false;
  const decode = createTextDecoder();
  const toLines = (texts: string[]): TextLine[] => {
    const decodedTexts = isDecoded ? texts : decode(texts);
    return decodedTexts.map((text) => {
      if (text.includes('\0'))
        throw invalidStatementError(line, 'this is not a text file: it contains the character U+0000');
      return { text, line: line++ };
    });
  };
  return {
    add(piece: RawText): TextLine[] {
      isDecoded = piece.isDecoded;
      pattern ??= isMarked(piece.text) ? markedLineBreak : lineBreak;
      const texts = (carry + piece.text).split(pattern);
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
const gb18030 = new TextDecoder('gb18030', { fatal: true });
const windows1252 = new TextDecoder('windows-1252');

/**
 * Creates a function that decodes texts with one character per byte. From the first texts in Chinese on, all texts that
 * are not UTF-8 are Chinese.
 */
export function createTextDecoder(): (texts: string[]) => string[] {
  let decoders = [utf8];
  return (texts) => {
    if (texts.some(looksLikeGbk)) decoders = [utf8, gb18030];
    return texts.map((text) => decodeLine(text, decoders));
  };
}

/** Decodes a line with the first decoder for which it is valid, or else as windows-1252. */
function decodeLine(line: string, decoders: TextDecoder[]): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches plain ASCII
  if (/^[\u0000-\u007F]*$/.test(line)) return line;
  const bytes = Buffer.from(line, 'latin1');
  for (const decoder of decoders) {
    try {
      return decoder.decode(bytes);
    } catch {
      // The line is not valid in this encoding.
    }
  }
  return windows1252.decode(bytes);
}

function isUtf8(line: string): boolean {
  try {
    utf8.decode(Buffer.from(line, 'latin1'));
    return true;
  } catch {
    return false;
  }
}
