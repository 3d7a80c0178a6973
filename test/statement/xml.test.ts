import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readStatement } from '../../src/statement/read-statement.ts';
import { count } from '../setup/counts.ts';
import { camtXml, details, ntry, toChunks } from '../setup/statement-files.ts';
import { anyChunkSizes } from './any-chunk-sizes.ts';
import { catchReadErrorText, invalidStatementText, readAll, readEntries } from './read.ts';

const good = camtXml(ntry({ details: details('<RmtInf><Ustrd>TIGER2345</Ustrd></RmtInf>') }));

/** Returns the error for an endless stream, and the number of bytes that were sent until the error. */
async function catchStreamError(
  start: string,
  repeated: string,
): Promise<{ message: string; bytes: number }> {
  let bytes = 0;
  let closed = false;
  async function* stream() {
    try {
      yield Buffer.from(start);
      for (;;) {
        bytes += repeated.length * 1000;
        yield Buffer.from(repeated.repeat(1000));
      }
    } finally {
      closed = true;
    }
  }
  const failure = await readAll(stream()).catch((error: Error) => error);
  expect(closed).toBe(true);
  return { message: (failure as Error).message, bytes };
}

const withText = (text: string, encoding?: string): string => {
  const xml = camtXml(ntry({ details: details(`<RmtInf><Ustrd>${text}</Ustrd></RmtInf>`) }));
  if (encoding === '') return xml.split('\n').slice(1).join('\n');
  return encoding === undefined ? xml : xml.replace('UTF-8', encoding);
};

const utf16le = (text: string) => Buffer.from(text, 'utf16le');

const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();

const latin1 = (text: string) => Buffer.from(text, 'latin1');

const readReference = async (bytes: Uint8Array) =>
  (await readEntries(bytes)).map(({ reference }) => reference).join('|');

describe('a file that is not well-formed', () => {
  test.each([
    ['', 1, 'the file is empty'],
    ['<?xml version="1.0"?>\n\n', 3, 'the file contains no XML element'],
    ['<Document><a></b></Document>', 1, '<a> is not a supported message'],
    ['\n<Document>\n</Docment>', 3, 'not well-formed XML: Unexpected close tag'],
    ['<Report>\n<body/>\n</Report>', 1, '<Report> is not an ISO 20022 message: it contains no <Document>'],
    ['<Document>\n</Document>', 2, 'the <Document> is empty'],
    ['<Document/><Document/>', 1, 'the <Document> is empty'],
    [`${good.trimEnd()}<Document>`, 22, 'the file ends inside <Document>: it is truncated'],
    [`${good}more`, 23, 'not well-formed XML: Text data outside of root node.'],
    [good.replace('TIGER2345', '&unknown;'), 16, 'not well-formed XML: Invalid character entity'],
    [good.replace('TIGER2345', '&constructor;'), 16, 'not well-formed XML: Invalid character entity'],
    [good.replace('TIGER2345', '&#0;'), 16, 'not well-formed XML: Invalid character entity'],
    [good.replace('TIGER2345', 'a & b'), 16, 'not well-formed XML: Invalid character in entity name'],
    [good.replace('TIGER2345', 'a\u0000b'), 16, 'character U+0000 is not allowed in XML'],
    [good.replace('TIGER2345', 'a < b'), 16, 'not well-formed XML: '],
    [good.replace('Ccy="HKD"', 'Ccy=HKD'), 6, 'not well-formed XML: Unquoted attribute value'],
    [
      good.replace('Ccy="HKD"', 'Ccy="HKD" Ccy="USD"'),
      6,
      'not well-formed XML: the attribute Ccy occurs twice',
    ],
    [good.replaceAll('Ustrd>', 'x:Ustrd>'), 16, 'not well-formed XML: Unbound namespace prefix: "x:Ustrd"'],
    [
      good.replaceAll('Ustrd>', 'toString:Ustrd>'),
      16,
      'not well-formed XML: unbound namespace prefix in <toString:Ustrd>',
    ],
  ])('%# is rejected with the line and the reason', async (xml, line, reason) => {
    expect(await catchReadErrorText(xml)).toContain(invalidStatementText(line, reason));
  });

  test('that is cut off at any place is rejected with its last line', async () => {
    const end = good.lastIndexOf('>');
    for (let at = 1; at <= end; at += 1) {
      const refusal = await catchReadErrorText(good.slice(0, at));
      expect(refusal).toMatch(/^invalid_statement: line \d+: /);
      const lines = good.slice(0, at).split('\n').length;
      // Unfinished markup is reported at the line where its element began, or later.
      expect(Number(/line (\d+)/.exec(refusal)?.[1])).toBeLessThanOrEqual(lines);
    }
    expect(await catchReadErrorText(good.slice(0, good.indexOf('TIGER') + 3))).toBe(
      invalidStatementText(16, 'the file ends inside <Ustrd>: it is truncated'),
    );
  });

  test('makes the stream throw an error, also after valid entries', async () => {
    const xml = camtXml(ntry().repeat(1_000) + ntry({ amount: '<Amt Ccy="HKD">abc</Amt>' }));
    const seen: unknown[] = [];
    const reading = (async () => {
      for await (const entry of readStatement(toChunks(xml))) seen.push(entry);
    })();
    await expect(reading).rejects.toMatchObject({ code: 'invalid_statement', status: 422 });
    expect(seen.length).toBeGreaterThan(0);
  });
});

describe('a hostile file', () => {
  test('that declares entities is rejected before any is expanded', async () => {
    const laughs = [
      '<!ENTITY a "ha">',
      ...'bcdefghij'
        .split('')
        .map((one, index) => `<!ENTITY ${one} "${`&${'abcdefghij'[index]};`.repeat(10)}">`),
    ];
    const bomb = `<?xml version="1.0"?>\n<!DOCTYPE Document [\n${laughs.join('\n')}\n]>\n<Document>&j;</Document>`;
    expect(await catchReadErrorText(bomb)).toBe(
      invalidStatementText(2, 'document type declarations (DTD) are not allowed'),
    );
  });

  test.each([
    '<!DOCTYPE Document SYSTEM "file:///etc/passwd">',
    '<!DOCTYPE Document [<!ENTITY x SYSTEM "http://127.0.0.1/">]>',
    '<!doctype Document>',
    '<!DOCTYPE Document [\n\n<!-- never ends',
  ])('with %j is rejected', async (declaration) => {
    const xml = `<?xml version="1.0"?>\n<!-- a statement -->\n${declaration}\n${good.slice(good.indexOf('<Document'))}`;
    expect(await catchReadErrorText(xml)).toBe(
      invalidStatementText(3, 'document type declarations (DTD) are not allowed'),
    );
  });

  test('with other markup declarations is rejected', async () => {
    expect(await catchReadErrorText('<Document>\n<!ELEMENT a>')).toBe(
      invalidStatementText(2, 'markup declarations (<!…>) are not allowed'),
    );
  });

  const beforeText = good.slice(0, good.indexOf('TIGER'));
  const endless: [string, string, string, string][] = [
    ['text', beforeText, 'abc def ', 'the text of an element is longer than 65536 characters'],
    [
      'text without any break',
      beforeText,
      'abcdefgh',
      'this is not a text file: it has no line breaks or spaces',
    ],
    ['CDATA', `${beforeText}<![CDATA[`, 'abc def ', 'the text of an element is longer than 65536 characters'],
    ['character references', beforeText, '&#65;', 'the text of an element is longer than 65536 characters'],
    ['nesting', beforeText, '<a>', 'elements are nested more than 100 levels deep'],
    ['attributes', `${beforeText}<a`, ' b="1"', 'a tag has more than 100 attributes'],
    [
      'attribute value',
      `${beforeText}<a b="`,
      'abc def ',
      'not well-formed XML: Max buffer length exceeded: attribValue',
    ],
    ['tag name', `${beforeText}<a`, 'a.b:', 'not well-formed XML: Max buffer length exceeded: tagName'],
    ['comment', `${beforeText}<!--`, 'abc def ', 'not well-formed XML: Max buffer length exceeded: comment'],
    [
      'processing instruction',
      `${beforeText}<?a `,
      'abc def ',
      'not well-formed XML: Max buffer length exceeded: procInstBody',
    ],
    ['markup declaration', '<![CDAT', ' ', 'markup declarations (<!…>) are not allowed'],
    ['quotes in one', `${beforeText}<!A "`, '<>', 'markup declarations (<!…>) are not allowed'],
    ['document type', '<!DOCTYPE a [', '<!ENTITY b "c">', 'document type declarations (DTD) are not allowed'],
    [
      'text before the first element',
      '<?xml version="1.0"?>',
      'abc def ',
      'not well-formed XML: Text data outside of root node.',
    ],
  ];
  test.each(endless)('of endless %s is rejected early', async (_, start, repeated, reason) => {
    const { message, bytes } = await catchStreamError(start, repeated);
    expect(message).toContain(reason);
    expect(bytes).toBeLessThan(2_000_000);
  });

  test.each([
    ['elements', '<b/>'],
    ['transactions', '<NtryDtls><TxDtls><RmtInf><Ustrd>TIGER2345</Ustrd></RmtInf></TxDtls></NtryDtls>'],
  ])('with an entry of endless %s is rejected when it is too large', async (_, repeated) => {
    const start = camtXml('').split('</Stmt>')[0]!;
    const kept = repeated === '<b/>' ? '<Ntry>\n<NtryDtls><Btch>' : '<Ntry>\n';
    const { message } = await catchStreamError(start + kept, repeated);
    expect(message).toBe('line 6: this <Ntry> is too large: it contains more than 64 MiB');
  });
});

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
  ])('are decoded: %s', async (_, bytes) => {
    expect(await readReference(bytes)).toBe(asian);
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
  ])('are decoded as the prolog declares: %s', async (encoding, bytes, text) => {
    expect(await readReference(latin1(withText(bytes, encoding)))).toBe(text);
  });

  test('line numbers are the same with any kind of line ends', async () => {
    const broken = withText('\u0001');
    for (const end of ['\n', '\r\n', '\r']) {
      const refusal = await catchReadErrorText(broken.replaceAll('\n', end));
      expect(refusal).toBe(invalidStatementText(16, 'character U+0001 is not allowed in XML'));
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
  ])('%s is rejected', async (_, bytes, line, reason) => {
    expect(await catchReadErrorText(bytes)).toContain(invalidStatementText(line, reason));
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

  test('may divide the file at any place', {
    timeout: 60_000,
  }, async () => {
    const expected = await readEntries(camtXml(entries));
    expect(expected).toHaveLength(240);
    const property = fc.asyncProperty(
      fc.constantFrom(...Object.values(encoders)),
      fc.integer({ min: 0, max: 40 }),
      anyChunkSizes,
      async (encode, padding, sizes) => {
        // The length of the comment moves every character against the reader's blocks of 64 KiB.
        const xml = `\uFEFF${camtXml(entries).replace('?>', `?><!--${'x'.repeat(padding)}-->`)}`;
        expect(await readAll(toChunks(encode(xml), sizes))).toStrictEqual(expected);
      },
    );
    await fc.assert(property, { numRuns: count(12, 200) });
  });

  test('may end at any place before a further document with a byte order mark', async () => {
    const further = `\uFEFF${good}`;
    const expected = await readEntries(good + good);
    for (let at = 0; at <= 8; at += 1) {
      const comment = `<!--${'x'.repeat(64 * 1024 - Buffer.byteLength(good) - 7 - at)}-->`;
      expect(await readEntries(good + comment + further)).toStrictEqual(expected);
    }
  });

  test.each([
    ['marks', '\uFEFF'],
    ['marks and spaces', '\uFEFF\u00A0'],
    ['spaces after a mark', '\u00A0'],
  ])('may consist of %s, which are read in linear time', async (_, repeated) => {
    const text = `\uFEFF${repeated.repeat(Math.floor(1_000_000 / Buffer.byteLength(repeated)))}`;
    const start = performance.now();
    expect(await catchReadErrorText(`<Document>${text}x</Document>`)).toContain(
      'the text of an element is longer than 65536 characters',
    );
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  test('may have one byte or none', async () => {
    const xml = withText('陳大文 🐯');
    async function* stream() {
      for await (const chunk of toChunks(xml, 1)) {
        yield chunk;
        yield new Uint8Array(0);
      }
    }
    expect(await readAll(stream())).toStrictEqual(await readEntries(xml));
  });
});
