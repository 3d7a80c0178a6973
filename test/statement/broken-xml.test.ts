import { describe, expect, test } from 'vitest';
import { readStatement } from '../../src/statement/read-statement.ts';
import { camtXml, details, ntry, toChunks } from '../setup/statement-files.ts';
import { readAll, refusalOf, refused } from './read.ts';

const good = camtXml(ntry({ details: details('<RmtInf><Ustrd>TIGER2345</Ustrd></RmtInf>') }));

/** The refusal of an endless stream, and how many bytes were read until then. */
async function refusalOfStream(start: string, repeated: string): Promise<{ message: string; bytes: number }> {
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

describe('a file that is not well-formed', () => {
  test.each([
    ['', 1, 'the file is empty'],
    ['<?xml version="1.0"?>\n\n', 3, 'the file contains no XML element'],
    ['<Document><a></b></Document>', 1, '<a> is not a supported message'],
    ['\n<Document>\n</Docment>', 3, 'not well-formed XML: Unexpected close tag'],
    ['<html>\n<body/>\n</html>', 1, '<html> is not an ISO 20022 message: it contains no <Document>'],
    ['<Document>\n</Document>', 2, 'the <Document> is empty'],
    ['<Document/><Document/>', 1, 'the <Document> is empty'],
    [`${good.trimEnd()}<Document>`, 22, 'not well-formed XML: a second root element'],
    [`${good}more`, 23, 'not well-formed XML: Text data outside of root node.'],
    [good.replace('TIGER2345', '&unknown;'), 16, 'not well-formed XML: Invalid character entity'],
    [good.replace('TIGER2345', '&constructor;'), 16, 'not well-formed XML: Invalid character entity'],
    [good.replace('TIGER2345', '&#0;'), 16, 'not well-formed XML: Invalid character entity'],
    [good.replace('TIGER2345', 'a & b'), 16, 'not well-formed XML: Invalid character in entity name'],
    [good.replace('TIGER2345', 'a\u0000b'), 16, 'character U+0000 is not allowed in XML'],
    [good.replace('TIGER2345', 'a < b'), 16, 'not well-formed XML: '],
    [good.replace('Ccy="HKD"', 'Ccy=HKD'), 6, 'not well-formed XML: Unquoted attribute value'],
    [good.replace('Ccy="HKD"', 'Ccy="HKD" Ccy="USD"'), 6, 'not well-formed XML: attribute Ccy twice'],
    [good.replaceAll('Ustrd>', 'x:Ustrd>'), 16, 'not well-formed XML: Unbound namespace prefix: "x:Ustrd"'],
    [
      good.replaceAll('Ustrd>', 'toString:Ustrd>'),
      16,
      'not well-formed XML: unbound namespace prefix in <toString:Ustrd>',
    ],
  ])('%# is refused by line and reason', async (xml, line, reason) => {
    expect(await refusalOf(xml)).toContain(refused(line, reason));
  });

  test('every place where it can be cut off is refused, by its last line', async () => {
    const end = good.lastIndexOf('>');
    for (let at = 1; at <= end; at += 1) {
      const refusal = await refusalOf(good.slice(0, at));
      expect(refusal).toMatch(/^invalid_statement: line \d+: /);
      const lines = good.slice(0, at).split('\n').length;
      // Markup that has begun but not ended is reported where its element began at the earliest.
      expect(Number(/line (\d+)/.exec(refusal)?.[1])).toBeLessThanOrEqual(lines);
    }
    expect(await refusalOf(good.slice(0, good.indexOf('TIGER') + 3))).toBe(
      refused(16, 'the file ends inside <Ustrd>: it is truncated'),
    );
  });

  test('entries before the fault are not the end of the story: the stream throws', async () => {
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
  test('that declares entities is refused before any is expanded', async () => {
    const laughs = [
      '<!ENTITY a "ha">',
      ...'bcdefghij'
        .split('')
        .map((one, index) => `<!ENTITY ${one} "${`&${'abcdefghij'[index]};`.repeat(10)}">`),
    ];
    const bomb = `<?xml version="1.0"?>\n<!DOCTYPE Document [\n${laughs.join('\n')}\n]>\n<Document>&j;</Document>`;
    expect(await refusalOf(bomb)).toBe(refused(2, 'document type declarations (DTD) are not allowed'));
  });

  test.each([
    '<!DOCTYPE Document SYSTEM "file:///etc/passwd">',
    '<!DOCTYPE Document [<!ENTITY x SYSTEM "http://127.0.0.1/">]>',
    '<!doctype Document>',
    '<!DOCTYPE Document [\n\n<!-- never ends',
  ])('with %j is refused', async (declaration) => {
    const xml = `<?xml version="1.0"?>\n<!-- a statement -->\n${declaration}\n${good.slice(good.indexOf('<Document'))}`;
    expect(await refusalOf(xml)).toBe(refused(3, 'document type declarations (DTD) are not allowed'));
  });

  test('with other markup declarations is refused', async () => {
    expect(await refusalOf('<Document>\n<!ELEMENT a>')).toBe(
      refused(2, 'markup declarations (<!…>) are not allowed'),
    );
  });

  const beforeText = good.slice(0, good.indexOf('TIGER'));
  const endless: [string, string, string, string][] = [
    ['text', beforeText, 'abc def ', 'a text longer than 65536 characters'],
    [
      'text without any break',
      beforeText,
      'abcdefgh',
      'this is not a text file: it has no line breaks or spaces',
    ],
    ['CDATA', `${beforeText}<![CDATA[`, 'abc def ', 'a text longer than 65536 characters'],
    ['character references', beforeText, '&#65;', 'a text longer than 65536 characters'],
    ['nesting', beforeText, '<a>', 'nested deeper than 100 elements'],
    ['attributes', `${beforeText}<a`, ' b="1"', 'more than 100 attributes in one tag'],
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
  test.each(endless)('of endless %s is refused soon', async (_, start, repeated, reason) => {
    const { message, bytes } = await refusalOfStream(start, repeated);
    expect(message).toContain(reason);
    expect(bytes).toBeLessThan(2_000_000);
  });

  test.each([
    ['elements', '<b/>'],
    ['transactions', '<NtryDtls><TxDtls><RmtInf><Ustrd>TIGER2345</Ustrd></RmtInf></TxDtls></NtryDtls>'],
  ])('with an entry of endless %s is refused once it holds too much', async (_, repeated) => {
    const start = camtXml('').split('</Stmt>')[0]!;
    const kept = repeated === '<b/>' ? '<Ntry>\n<NtryDtls><Btch>' : '<Ntry>\n';
    const { message } = await refusalOfStream(start + kept, repeated);
    expect(message).toBe('line 6: this <Ntry> is too large: it contains more than 64 MiB');
  });
});
