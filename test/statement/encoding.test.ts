import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { count } from '../setup/counts.ts';
import { camtXml, details, ntry, toChunks } from '../setup/statement-files.ts';
import { anyChunkSizes } from './any-chunk-sizes.ts';
import { entriesOf, readAll, refusalOf, refused } from './read.ts';

const withText = (text: string, encoding?: string): string => {
  const xml = camtXml(ntry({ details: details(`<RmtInf><Ustrd>${text}</Ustrd></RmtInf>`) }));
  if (encoding === '') return xml.split('\n').slice(1).join('\n');
  return encoding === undefined ? xml : xml.replace('UTF-8', encoding);
};

const utf16le = (text: string) => Buffer.from(text, 'utf16le');
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();
const latin1 = (text: string) => Buffer.from(text, 'latin1');

const referenceOf = async (bytes: Uint8Array) =>
  (await entriesOf(bytes)).map(({ reference }) => reference).join('|');

describe('encodings of an XML file', () => {
  const asian = 'Müller 陳大文 ขอบคุณ 🐯';

  test.each<[string, Uint8Array]>([
    ['UTF-8', Buffer.from(withText(asian))],
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${withText(asian)}`)],
    ['UTF-8 that nothing declares', Buffer.from(withText(asian, ''))],
    ['UTF-8 after empty lines', Buffer.from(`\n \n${withText(asian)}`)],
    ['UTF-8 that says it is UTF-16', Buffer.from(withText(asian, 'utf-16'))],
    ['UTF-8 that says it is US-ASCII', Buffer.from(withText(asian, 'US-ASCII'))],
    ['UTF-16 little endian with its mark', utf16le(`\uFEFF${withText(asian, 'UTF-16')}`)],
    ['UTF-16 big endian with its mark', utf16be(`\uFEFF${withText(asian, 'UTF-16')}`)],
    ['UTF-16 little endian without', utf16le(withText(asian, 'UTF-16'))],
    ['UTF-16 big endian without', utf16be(withText(asian, 'UTF-16'))],
    ['UTF-16 that says it is UTF-8', utf16le(`\uFEFF${withText(asian)}`)],
  ])('%s', async (_, bytes) => {
    expect(await referenceOf(bytes)).toBe(asian);
  });

  test.each<[string, string, string]>([
    ['ISO-8859-1', 'M\u00FCller \u00E9', 'Müller é'],
    ['windows-1252', 'M\u00FCller 5\u0080', 'Müller 5€'],
    ['ISO-8859-15', '5\u00A4', '5€'],
    ['GBK', '\u00B3\u00C2', '陈'],
    ['Big5', '\u00B3\u00AF', '陳'],
    ['Shift_JIS', '\u0083A', 'ア'],
    ['EUC-KR', '\u00B1\u00E8', '김'],
    ['windows-874', '\u00A1', 'ก'],
  ])('%s as the prolog names it', async (encoding, bytes, text) => {
    expect(await referenceOf(latin1(withText(bytes, encoding)))).toBe(text);
  });

  test('line ends of any kind count lines alike', async () => {
    const broken = withText('\u0001');
    for (const end of ['\n', '\r\n', '\r']) {
      const refusal = await refusalOf(broken.replaceAll('\n', end));
      expect(refusal).toBe(refused(16, 'character U+0001 is not allowed in XML'));
    }
  });

  test.each<[string, Uint8Array, number, string]>([
    ['Latin-1 bytes in UTF-8', latin1(withText('M\u00FCller')), 16, 'these bytes are not valid UTF-8 text'],
    [
      'half a character',
      Buffer.concat([Buffer.from(withText('x')), Buffer.from([0xe9])]),
      23,
      'these bytes are not valid UTF-8 text',
    ],
    [
      'half a surrogate pair',
      utf16le(`\uFEFF${withText('\uD83D!')}`),
      16,
      'these bytes are not valid UTF-16LE text',
    ],
    [
      'half a UTF-16 unit',
      utf16le(`\uFEFF${withText('x')}`).subarray(0, -1),
      22,
      'these bytes are not valid UTF-16LE text',
    ],
    ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x3c, 0, 0, 0]), 1, 'UTF-32 is not supported'],
    [
      'an unknown encoding',
      latin1(withText('x', 'x-klingon')),
      1,
      'the encoding "x-klingon" is not supported',
    ],
    [
      'an encoding with states',
      latin1(withText('x', 'ISO-2022-JP')),
      1,
      'the encoding "iso-2022-jp" is not supported',
    ],
  ])('%s is refused', async (_, bytes, line, reason) => {
    expect(await refusalOf(bytes)).toContain(refused(line, reason));
  });
});

describe('chunks of the stream', () => {
  const texts = ['Müller', '陳大文', 'ขอบคุณ', '🐯🐯', 'TIGER2345', 'é&amp;'];
  const entries = Array.from({ length: 240 }, (_, index) =>
    ntry({
      reference: `<AcctSvcrRef>R${index}</AcctSvcrRef>`,
      details: details(`<RmtInf><Ustrd>${texts[index % texts.length]} ${index}</Ustrd></RmtInf>`),
    }),
  ).join('\r\n');
  const encoders = {
    'UTF-8': (text: string) => Buffer.from(text),
    'UTF-16 LE': utf16le,
    'UTF-16 BE': utf16be,
  };

  test('make no difference, wherever they and the blocks of the reader cut', {
    timeout: 60_000,
  }, async () => {
    const expected = await entriesOf(camtXml(entries));
    expect(expected).toHaveLength(240);
    const property = fc.asyncProperty(
      fc.constantFrom(...Object.values(encoders)),
      fc.integer({ min: 0, max: 40 }),
      anyChunkSizes,
      async (encode, padding, sizes) => {
        // The comment moves every character against the reader's blocks of 64 KiB.
        const xml = `\uFEFF${camtXml(entries).replace('?>', `?><!--${'x'.repeat(padding)}-->`)}`;
        expect(await readAll(toChunks(encode(xml), sizes))).toStrictEqual(expected);
      },
    );
    await fc.assert(property, { numRuns: count(12, 200) });
  });

  test('of one byte, and empty ones, read the same', async () => {
    const xml = withText('陳大文 🐯');
    async function* stream() {
      for await (const chunk of toChunks(xml, 1)) {
        yield chunk;
        yield new Uint8Array(0);
      }
    }
    expect(await readAll(stream())).toStrictEqual(await entriesOf(xml));
  });
});
