type ByteOrderMark = { encoding: 'utf-8' | 'utf-16le' | 'utf-16be'; size: number };

/** Returns the byte order mark at the beginning of a file and its size in bytes, or undefined if there is none. */
export function findByteOrderMark([a, b, c]: Uint8Array): ByteOrderMark | undefined {
  if (a === 0xef && b === 0xbb && c === 0xbf) return { encoding: 'utf-8', size: 3 };
  if (a === 0xff && b === 0xfe) return { encoding: 'utf-16le', size: 2 };
  if (a === 0xfe && b === 0xff) return { encoding: 'utf-16be', size: 2 };
  return undefined;
}
