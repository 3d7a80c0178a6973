import { findByteOrderMark } from './byte-order-mark.ts';
import { invalidStatementError } from './invalid-statement.ts';

/** The encoding of an XML file and the size of its byte order mark in bytes (0 without one). */
type XmlEncoding = { encoding: string; markSize: number };

/** The supported encodings except UTF-16. In all of them, the XML declaration is readable as ASCII. */
const acceptedEncodings =
  /^(utf-8|iso-8859-\d+(-i)?|windows-\d+|koi8-[ru]|macintosh|ibm866|gbk|gb18030|big5|shift_jis|euc-(jp|kr))$/;

/**
 * Detects the encoding as in XML 1.0 appendix F, by the first match: byte order mark, pattern of zero bytes,
 * name in the prolog, UTF-8. Bytes take precedence over the name, since many programs write
 * `encoding="utf-16"` into UTF-8 files. The strict decoder later rejects a wrong guess.
 */
export function detectXmlEncoding(head: Uint8Array): XmlEncoding {
  const [a, b, c, d] = head;
  if (
    (a === 0 && b === 0) ||
    (b === 0 && c === 0 && d === 0) ||
    (a === 0xff && b === 0xfe && c === 0 && d === 0)
  ) {
    throw invalidStatementError(1, 'UTF-32 is not supported; use UTF-8, UTF-16 or a single-byte encoding');
  }
  const mark = findByteOrderMark(head);
  if (mark) return { encoding: mark.encoding, markSize: mark.size };
  if (a !== 0 && b === 0) return { encoding: 'utf-16le', markSize: 0 };
  if (a === 0 && b !== 0) return { encoding: 'utf-16be', markSize: 0 };
  return { encoding: readDeclaredEncoding(head), markSize: 0 };
}

function readDeclaredEncoding(head: Uint8Array): string {
  const prolog = Buffer.from(head.subarray(0, 1024)).toString('latin1');
  const name = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([^"']*)["']/.exec(prolog)?.[1]?.trim().toLowerCase();
  // The bytes are known not to be UTF-16, and US-ASCII is a subset of UTF-8.
  if (name === undefined || /^(utf-?16([bl]e)?|(us-)?ascii)$/.test(name)) return 'utf-8';
  let encoding = '';
  try {
    encoding = new TextDecoder(name).encoding;
  } catch {
    // The name is not in the Encoding standard. It is rejected below, like an encoding that is not supported.
  }
  if (!acceptedEncodings.test(encoding)) {
    throw invalidStatementError(1, `the encoding "${name.slice(0, 40)}" is not supported: use UTF-8`);
  }
  return encoding;
}
