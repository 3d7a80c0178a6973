import { invalidStatementError } from './invalid-statement.ts';
import { createTextDecoder, readRawText } from './text-lines.ts';

/** A tag with the text up to the next tag. The name of a closing tag begins with `/`. */
export type OfxToken = { name: string; text: string; line: number };

/** The maximum length of a tag with its text, far longer than any value. */
const tokenLengthMax = 64 * 1024;

const namedEntities = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
]);

/**
 * Yields the tags of an OFX file, in one batch per block. Versions 1 (SGML, in which values have no closing tags) and 2
 * (XML) have the same tags. A `<` that begins no tag belongs to the text before it.
 */
export async function* readOfxTokens(source: AsyncIterable<Uint8Array>): AsyncGenerator<OfxToken[]> {
  const decode = createTextDecoder();
  let carry = '';
  let line = 1;
  const toTokens = (parts: string[], isDecoded: boolean): OfxToken[] => {
    const texts = isDecoded ? parts : decode(parts);
    return texts.flatMap((text) => {
      if (text.includes('\0'))
        throw invalidStatementError(line, 'this is not a text file: it contains the character U+0000');
      const token = toToken(text, line);
      line += text.split(/\r\n|\n|\r/).length - 1;
      return token ? [token] : [];
    });
  };
  let isDecoded = false;
  for await (const piece of readRawText(source)) {
    isDecoded = piece.isDecoded;
    const parts = (carry + piece.text).split(/(?=<[/?!]?[A-Za-z])/);
    // The last part may continue in the next block, and so may a line break at its end.
    carry = parts.pop()!;
    const longPart = parts.find(({ length }) => length > tokenLengthMax);
    if (longPart !== undefined || carry.length > tokenLengthMax)
      throw invalidStatementError(line, `a value is longer than ${tokenLengthMax} characters`);
    yield toTokens(parts, isDecoded);
  }
  yield toTokens([carry], isDecoded);
}

function toToken(part: string, line: number): OfxToken | undefined {
  const [, name, text = ''] = /^<(\/?[A-Za-z][\w.]*)\s*\/?>(.*)$/s.exec(part) ?? [];
  return name === undefined ? undefined : { name: name.toUpperCase(), text: toValue(text), line };
}

function toValue(text: string): string {
  const content = text.replace(/<!\[CDATA\[|\]\]>/g, '').trim();
  return content
    .replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi, (entity, decimal, hexadecimal, name) => {
      const code = decimal ? Number(decimal) : Number.parseInt(hexadecimal ?? '', 16);
      if (Number.isNaN(code)) return namedEntities.get(String(name).toLowerCase()) ?? entity;
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : entity;
    })
    .toWellFormed();
}
