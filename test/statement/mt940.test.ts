import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { count } from '../setup/counts.ts';
import { mt940Text, toChunks } from '../setup/statement-files.ts';
import { anyChunkSizes } from './any-chunk-sizes.ts';
import { entriesOf, onlyEntryOf, readAll, refusalOf, refused } from './read.ts';

describe('a file', () => {
  const movement = ':61:261120C1,NTRFNONREF//B1\n:86:TIGER2345';

  test.each([
    [
      "SWIFT's envelope",
      `{1:F01BANKHKHHAXXX0000000000}{2:I940BANKHKHHXXXXN}{4:\n${mt940Text(movement).replace('-\n', '-}{5:{CHK:1}}\n')}`,
    ],
    [
      "SWIFT's envelope on one line",
      `{1:F01BANKHKHHAXXX0000000000}{2:I940BANKHKHHXXXXN}{4:${mt940Text(movement).replace('-\n', '-}')}`,
    ],
    ['header lines of the bank', `BANKHKHH\n940\n${mt940Text(movement)}`],
    ['an empty line first', `\r\n${mt940Text(movement)}`],
    ['a byte order mark', `\uFEFF${mt940Text(movement)}`],
    ['Windows line ends', mt940Text(movement).replaceAll('\n', '\r\n')],
    ['old Macintosh line ends', mt940Text(movement).replaceAll('\n', '\r')],
    ['no end mark', mt940Text(movement).replace('-\n', '')],
    ['the end mark of ING', mt940Text(movement).replace('-\n', '-XXX\n')],
  ])('may have %s', async (_, content) => {
    expect(await onlyEntryOf(content)).toMatchObject({
      bankReference: 'B1',
      reference: 'TIGER2345',
      statementId: 'S1',
    });
  });

  test('may hold many statements, each with its own account', async () => {
    const content =
      mt940Text(movement) + mt940Text('') + mt940Text(movement, { account: 'HK99', currency: 'USD' });
    expect(await entriesOf(content)).toMatchObject([
      { accountId: '012-345678', amount: { currency: 'HKD' }, line: 5 },
      { accountId: 'HK99', amount: { currency: 'USD' }, line: 20 },
    ]);
  });

  test('may name the currency behind an IBAN', async () => {
    for (const account of ['NL71RABO0123456789 HKD', 'NL71RABO0123456789HKD', 'NL71RABO0123456789']) {
      expect(await onlyEntryOf(mt940Text(movement, { account }))).toMatchObject({
        accountId: 'NL71RABO0123456789',
      });
    }
  });

  test('may have text in UTF-8, UTF-16 or windows-1252', async () => {
    const text = (reference: string) => mt940Text(`:61:261120C1,NTRF\n:86:${reference}`);
    expect(await onlyEntryOf(text('Müller 陳大文'))).toMatchObject({ reference: 'Müller 陳大文' });
    const utf16 = Buffer.from(`\uFEFF${text('Müller 陳大文')}`, 'utf16le');
    expect(await onlyEntryOf(utf16)).toMatchObject({ reference: 'Müller 陳大文' });
    expect(await onlyEntryOf(Buffer.from(utf16).swap16())).toMatchObject({ reference: 'Müller 陳大文' });
    expect(await onlyEntryOf(Buffer.from(text('M\u00FCller 5\u0080'), 'latin1'))).toMatchObject({
      reference: 'Müller 5€',
    });
  });

  test.each<[string, string, number, string]>([
    [
      'without its closing balance',
      mt940Text(movement).split(':62F:')[0]!,
      6,
      'the statement that begins in line 1 has no closing balance: the file is truncated',
    ],
    [
      'cut off before another statement',
      mt940Text(movement).split(':62F:')[0]! + mt940Text(''),
      7,
      'the statement that begins in line 1 has no closing balance: the file is truncated',
    ],
    [
      'cut off in its closing balance',
      mt940Text(movement).split('HKD100,')[0]!,
      7,
      '":62F:C261120" is not a balance',
    ],
    [
      'with a broken opening balance',
      mt940Text(movement).replace('HKD0,', 'HKDO,'),
      4,
      '":60F:C261119HKDO," is not a balance',
    ],
    [
      'without an opening balance',
      mt940Text(movement).replace(/:60F:.*\n/, ''),
      4,
      'field :61: comes before the opening balance (:60F:), which defines the currency',
    ],
    [
      'in an unknown currency',
      mt940Text(movement, { currency: 'XYZ' }),
      4,
      '"XYZ" is not an ISO 4217 currency',
    ],
    [
      'that changes its currency',
      mt940Text(movement).replace('HKD100,', 'USD100,'),
      7,
      'the closing balance is in USD, but the opening balance is not',
    ],
    ['with zero bytes', mt940Text(`${movement}\0`), 6, 'character U+0000: this is not a text file'],
    [
      'that begins in the middle',
      `${movement}\n${mt940Text('')}`,
      1,
      'field :61: comes before any statement (:20:)',
    ],
    [
      'with a field that does not end',
      mt940Text(`${movement}\n${'x'.repeat(9000)}\n${'x'.repeat(9000)}`),
      6,
      'field :86: is longer than 10000 characters',
    ],
    [
      'with an endless line',
      mt940Text(`${movement}${'x'.repeat(20_000)}`),
      6,
      'a line longer than 10000 characters',
    ],
  ])('%s is refused', async (_, content, line, reason) => {
    expect(await refusalOf(content)).toBe(refused(line, reason));
  });

  test('reads the same in whatever chunks it comes', async () => {
    const movements = Array.from(
      { length: 1500 },
      (_, index) => `:61:261120C1,NTRFNONREF//B${index}\n:86:Müller 陳大文 ${index}`,
    );
    const content = Buffer.from(mt940Text(movements.join('\n')).replaceAll('\n', '\r\n'));
    const expected = await entriesOf(content);
    expect(expected).toHaveLength(1500);
    expect(expected[1499]).toMatchObject({
      bankReference: 'B1499',
      reference: 'Müller 陳大文 1499',
      line: 3003,
    });
    const property = fc.asyncProperty(
      anyChunkSizes,
      fc.integer({ min: 0, max: 40 }),
      async (sizes, padding) => {
        const padded = Buffer.concat([Buffer.from(`${'x'.repeat(padding)}\r\n`), content]);
        const entries = await readAll(toChunks(padded, sizes));
        expect(entries.map((entry) => ({ ...entry, line: entry.line - 1 }))).toStrictEqual(expected);
      },
    );
    await fc.assert(property, { numRuns: count(6, 100) });
  });
});
