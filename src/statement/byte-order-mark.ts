type ByteOrderMark = { encoding: 'utf-8' | 'utf-16le' | 'utf-16be'; size: number };

/** Returns the byte order mark at the beginning of a file and its size in bytes, or undefined if there is none. */
export function findByteOrderMark([a, b, c]: Uint8Array): ByteOrderMark | undefined {
  if (a === 0xef && b === 0xbb && c === 0xbf) return { encoding: 'utf-8', size: 3 };
  if (a === 0xff && b === 0xfe) return { encoding: 'utf-16le', size: 2 };
  if (a === 0xfe && b === 0xff) return { encoding: 'utf-16be', size: 2 };
  return undefined;
}

const sampleSize = 4096;

/**
 * Returns the encoding of UTF-16 text without a byte order mark, or undefined for other text. Statements consist mostly
 * of ASCII characters, whose first or second byte is zero.
 */
export function detectUnmarkedUtf16(head: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const size = Math.min(head.length, sampleSize) & ~1;
  if (size < 4) return undefined;
  const zeros = [0, 0];
  for (let at = 0; at < size; at += 1) if (head[at] === 0) zeros[at % 2]! += 1;
  const [even = 0, odd = 0] = zeros;
  const enough = size / 8;
  if (odd >= enough && even === 0) return 'utf-16le';
  if (even >= enough && odd === 0) return 'utf-16be';
  return undefined;
}
