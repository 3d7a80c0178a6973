import { invalidStatementError } from './invalid-statement.ts';

/** Decoded text with the number of its first line, counted from 1. Lines end with a line feed. */
export type TextPiece = { text: string; line: number };

/** The maximum number of bytes without a cut position. It limits the memory use if the file is not text. */
const carryBytesMax = 1024 * 1024;

/**
 * Decodes blocks of bytes without splitting characters. Throws with the line number if bytes are invalid in
 * the encoding. `encoding` is `utf-16le`, `utf-16be`, or a WHATWG label of an ASCII superset. The caller must
 * remove the byte order mark.
 */
export async function* decodeText(
  blocks: AsyncIterable<Uint8Array>,
  { encoding }: { encoding: string },
): AsyncGenerator<TextPiece> {
  const findCut = encoding.startsWith('utf-16') ? createUtf16CutFinder(encoding) : findAsciiCut;
  let carry: Uint8Array<ArrayBufferLike> = new Uint8Array(0);
  let line = 1;
  for await (const block of blocks) {
    const bytes = carry.length === 0 ? block : Buffer.concat([carry, block]);
    const cut = findCut(bytes);
    carry = bytes.subarray(cut);
    if (carry.length > carryBytesMax)
      throw invalidStatementError(line, 'this is not a text file: it has no line breaks or spaces');
    if (cut === 0) continue;
    const text = decodeStrictly(bytes.subarray(0, cut), encoding, line);
    yield { text, line };
    line += countLineBreaks(text);
  }
  if (carry.length > 0) yield { text: decodeStrictly(carry, encoding, line), line };
}

/**
 * Returns the last position where bytes of an ASCII superset can be cut: after punctuation, a space or a line feed.
 * None of these bytes is part of a longer character in UTF-8, GB 18030, Big5, Shift_JIS or EUC. A carriage return is no
 * such position, because a line feed may follow.
 */
function findAsciiCut(bytes: Uint8Array): number {
  for (let at = bytes.length - 1; at >= 0; at -= 1) {
    const byte = bytes[at]!;
    if ((byte < 0x30 && byte !== 0x0d) || (byte >= 0x3a && byte <= 0x3f)) return at + 1;
  }
  return 0;
}

/** Returns a cut position for UTF-16: after a unit that is neither a high surrogate nor a carriage return. */
function createUtf16CutFinder(encoding: string): (bytes: Uint8Array) => number {
  const low = encoding === 'utf-16le' ? 0 : 1;
  return (bytes) => {
    let cut = bytes.length - (bytes.length % 2);
    while (cut > 0) {
      const unit = bytes[cut - 2 + low]! | (bytes[cut - 1 - low]! << 8);
      if (unit !== 0x0d && (unit < 0xd800 || unit > 0xdbff)) return cut;
      cut -= 2;
    }
    return 0;
  };
}

function decodeStrictly(bytes: Uint8Array, encoding: string, line: number): string {
  try {
    return normalizeLineBreaks(new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    // The decoder does not report the position of the error; the first replacement character shows it.
    const text = normalizeLineBreaks(new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes));
    const before = text.slice(0, Math.max(0, text.indexOf('\uFFFD')));
    throw invalidStatementError(
      line + countLineBreaks(before),
      `these bytes are not valid ${encoding.toUpperCase()} text`,
    );
  }
}

function normalizeLineBreaks(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

function countLineBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
