import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { count } from '../setup/counts.ts';
import { mt940Text, toChunks } from '../setup/statement-files.ts';
import { anyChunkSizes } from './any-chunk-sizes.ts';
import { catchReadErrorText, invalidStatementText, readAll, readEntries, readOnlyEntry } from './read.ts';

const readEntry = (line: string, info = '') =>
  readOnlyEntry(mt940Text(`:61:${line}${info && `\n:86:${info}`}`));

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
    expect(await readOnlyEntry(content)).toMatchObject({
      bankReference: 'B1',
      reference: 'TIGER2345',
      statementId: 'S1',
    });
  });

  test('may hold many statements, each with its own account', async () => {
    const content =
      mt940Text(movement) + mt940Text('') + mt940Text(movement, { account: 'HK99', currency: 'USD' });
    expect(await readEntries(content)).toMatchObject([
      { accountId: '012-345678', amount: { currency: 'HKD' }, line: 5 },
      { accountId: 'HK99', amount: { currency: 'USD' }, line: 20 },
    ]);
  });

  test('may name the currency behind an IBAN', async () => {
    for (const account of ['NL71RABO0123456789 HKD', 'NL71RABO0123456789HKD', 'NL71RABO0123456789']) {
      expect(await readOnlyEntry(mt940Text(movement, { account }))).toMatchObject({
        accountId: 'NL71RABO0123456789',
      });
    }
  });

  test('may have text in GBK', async () => {
    const [before, after] = mt940Text(`:61:261120C1,NTRF\n:86:王 TIGER2345 #`).split('#') as [string, string];
    const hanzi = (...bytes: number[]) => Buffer.from(bytes);
    // The character 王 alone does not show that the file is in GBK.
    const wang = hanzi(0xcd, 0xf5);
    const transfer = hanzi(0xd7, 0xaa, 0xd5, 0xcb);
    const [start, rest] = before.split('王') as [string, string];
    const content = Buffer.concat([
      Buffer.from(start),
      wang,
      Buffer.from(rest),
      transfer,
      Buffer.from(after),
    ]);
    expect(await readOnlyEntry(content)).toMatchObject({ reference: '王 TIGER2345 转账' });
    const western = Buffer.concat([Buffer.from(start), wang, Buffer.from(rest), Buffer.from(after)]);
    expect(await readOnlyEntry(western)).toMatchObject({ reference: 'Íõ TIGER2345' });
  });

  test('may have text in UTF-8, UTF-16 or windows-1252', async () => {
    const text = (reference: string) => mt940Text(`:61:261120C1,NTRF\n:86:${reference}`);
    expect(await readOnlyEntry(text('Müller 陳大文'))).toMatchObject({ reference: 'Müller 陳大文' });
    for (const mark of ['\uFEFF', '']) {
      const utf16 = Buffer.from(`${mark}${text('Müller 陳大文')}`, 'utf16le');
      expect(await readOnlyEntry(utf16)).toMatchObject({ reference: 'Müller 陳大文' });
      expect(await readOnlyEntry(Buffer.from(utf16).swap16())).toMatchObject({ reference: 'Müller 陳大文' });
    }
    expect(await readOnlyEntry(Buffer.from(text('M\u00FCller 5\u0080'), 'latin1'))).toMatchObject({
      reference: 'Müller 5€',
    });
  });

  test.each<[string, string, number, string]>([
    [
      'without its closing balance',
      mt940Text(movement).split(':62F:')[0]!,
      6,
      'the statement that begins on line 1 has no closing balance; the file may be truncated',
    ],
    [
      'cut off before another statement',
      mt940Text(movement).split(':62F:')[0]! + mt940Text(''),
      7,
      'the statement that begins on line 1 has no closing balance; the file may be truncated',
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
    [
      'with zero bytes',
      mt940Text(`${movement}\0`),
      6,
      'this is not a text file: it contains the character U+0000',
    ],
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
      'a line is longer than 10000 characters',
    ],
  ])('%s is rejected', async (_, content, line, reason) => {
    expect(await catchReadErrorText(content)).toBe(invalidStatementText(line, reason));
  });

  test('has the same entries, regardless of its chunks', async () => {
    const movements = Array.from(
      { length: 1500 },
      (_, index) => `:61:261120C1,NTRFNONREF//B${index}\n:86:Müller 陳大文 ${index}`,
    );
    const content = Buffer.from(mt940Text(movements.join('\n')).replaceAll('\n', '\r\n'));
    const expected = await readEntries(content);
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

describe('a statement line', () => {
  test('contains all fields of the entry', async () => {
    expect(await readEntry('2611211120CD100,5NTRFPAYERREF//BANKREF\nmore', 'TIGER2345')).toStrictEqual({
      direction: 'credit',
      status: 'booked',
      isReversal: false,
      isReturned: false,
      amount: { minor: 10_050n, currency: 'HKD' },
      transactionCount: 1,
      bookedOn: '2026-11-20',
      valueOn: '2026-11-21',
      bankReference: 'BANKREF',
      reference: 'TIGER2345 PAYERREF',
      additionalInfo: 'more',
      accountId: '012-345678',
      accountCurrency: 'HKD',
      statementId: 'S1',
      line: 5,
    });
  });

  test.each([
    ['C', { direction: 'credit', isReversal: false, status: 'booked' }],
    ['D', { direction: 'debit', isReversal: false, status: 'booked' }],
    ['RC', { direction: 'debit', isReversal: true, status: 'booked' }],
    ['RD', { direction: 'credit', isReversal: true, status: 'booked' }],
    ['EC', { direction: 'credit', isReversal: false, status: 'pending' }],
    ['ED', { direction: 'debit', isReversal: false, status: 'pending' }],
  ])('with the mark %s has its direction and status', async (mark, expected) => {
    expect(await readEntry(`261120${mark}1,NTRF`)).toMatchObject(expected);
    expect(await readEntry(`261120${mark}D1,NTRF`)).toMatchObject(expected);
  });

  test.each([
    ['2611201120', '2026-11-20', '2026-11-20'],
    ['261120', '2026-11-20', '2026-11-20'],
    ['261120    ', '2026-11-20', '2026-11-20'],
    ['2612310102', '2027-01-02', '2026-12-31'],
    ['2701021231', '2026-12-31', '2027-01-02'],
    ['2402290229', '2024-02-29', '2024-02-29'],
    ['2302300301', '2023-03-01', '2023-02-28'],
    ['9912310102', '2000-01-02', '1999-12-31'],
  ])('dated %s was booked on %s and counts from %s', async (dates, bookedOn, valueOn) => {
    expect(await readEntry(`${dates}C1,NTRF`)).toMatchObject({ bookedOn, valueOn });
  });

  test.each([
    ['HKD', '12,5', 1250n],
    ['HKD', '000000000012,34', 1234n],
    ['HKD', '12', 1200n],
    ['HKD', '12,500', 1250n],
    ['KRW', '1500,00', 1500n],
    ['KWD', '1,234', 1234n],
  ])('%s %s is exact', async (currency, amount, minor) => {
    const entry = await readOnlyEntry(mt940Text(`:61:261120C${amount}NTRF`, { currency }));
    expect(entry.amount).toEqual({ minor, currency });
  });

  test.each([
    ['261120C12,345NTRF', 'the amount 12.345 has more than 2 decimal places, which HKD does not allow'],
    ['261120C1.234,50NTRF', '":61:261120C1.234,50NTRF" is not a statement line'],
    ['261120X12,NTRF', '":61:261120X12,NTRF" is not a statement line'],
    ['261120C-12,NTRF', '":61:261120C-12,NTRF" is not a statement line'],
    ['261120C12,', '":61:261120C12," is not a statement line'],
    ['261320C12,NTRF', '"261320" is not a date (YYMMDD)'],
    ['260431C12,NTRF', '"260431" is not a date (YYMMDD)'],
    ['2611201100C12,NTRF', '"261100" is not a date (YYMMDD)'],
    ['', '":61:" is not a statement line'],
  ])('%j is rejected', async (line, reason) => {
    expect(await catchReadErrorText(mt940Text(`:61:${line}`))).toBe(invalidStatementText(5, reason));
  });

  test.each(['NONREF', 'N', 'EREF', 'KREF+', ''])('has no owner reference in %j', async (reference) => {
    const entry = await readEntry(`261120C1,NTRF${reference}//NONREF`);
    expect(entry.reference).toBe('');
    expect(entry).not.toHaveProperty('bankReference');
  });
});

describe('the information to the account owner', () => {
  const line = '261120C1,NTRFNONREF';

  test('in German subfields has the SEPA fields, the name and the account', async () => {
    const info = [
      '166?00SEPA-GUTSCHRIFT?109310?20EREF+ORDER-7?21KREF+K-1?22MREF+M-1?23SVWZ+payment for order 7?24 T',
      'IGER2345?30BANKDEFF?31DE89370400440532013000?32Erika Musterfrau-Langename ?33mit Zusatz?34000',
    ].join('\n');
    expect(await readEntry(line, info)).toMatchObject({
      reference: 'payment for order 7 TIGER2345 ORDER-7',
      endToEndId: 'ORDER-7',
      instructionId: 'K-1',
      mandateId: 'M-1',
      additionalInfo: 'SEPA-GUTSCHRIFT',
      counterpartyName: 'Erika Musterfrau-Langename mit Zusatz',
      counterpartyAccount: 'DE89370400440532013000',
      isReturned: false,
    });
  });

  test('distinguishes subfields, words within a subfield, and texts of the bank', async () => {
    const info = '166?00GUTSCHRIFT?20EREF: E-1?21SVWZ+text one PURP+SALA?60TIGER2345?70for Somebody';
    expect(await readEntry(line, info)).toMatchObject({
      endToEndId: 'E-1',
      reference: 'text one E-1',
      // Text after other words may be the payer's, so it is kept.
      additionalInfo: 'GUTSCHRIFT SALA TIGER2345 for Somebody',
    });
  });

  test('of a returned transfer contains the reason', async () => {
    const info = '159?00RETOURE?20EREF+R-1?21MTLG:Konto erloschen?34902';
    expect(await readEntry(line, info)).toMatchObject({
      isReturned: true,
      returnReason: '902 Konto erloschen',
    });
    expect(await readEntry('261120C1,NRTINONREF')).toMatchObject({ isReturned: true });
  });

  test.each(['?', '>', '~', '^'])('subfields may be separated by %s', async (mark) => {
    const info = `020${mark}00TEXT${mark}20TIGER${mark}212345${mark}32Payer`;
    expect(await readEntry(line, info)).toMatchObject({ reference: 'TIGER 2345', counterpartyName: 'Payer' });
  });

  test('in slash codes has the reference, the name and the account', async () => {
    const info =
      '/TRTP/SEPA OVERBOEKING/IBAN/NL91ABNA0417164300/BIC/ABNANL2A/NAME/J. Jansen/REMI/TIGER2345/EREF/NOTPROVIDED';
    const entry = await readEntry(line, info);
    expect(entry).toMatchObject({
      reference: 'TIGER2345',
      additionalInfo: 'SEPA OVERBOEKING',
      counterpartyName: 'J. Jansen',
      counterpartyAccount: 'NL91ABNA0417164300',
    });
    expect(entry).not.toHaveProperty('endToEndId');
  });

  test.each([
    [
      '/EREF/E-1//MARF/M-1//CNTP/NL32INGB0000012345/INGBNL2A/ING Bank//REMI/USTD//TIGER2345/',
      {
        endToEndId: 'E-1',
        mandateId: 'M-1',
        counterpartyName: 'ING Bank',
        counterpartyAccount: 'NL32INGB0000012345',
      },
    ],
    ['/ORDP/CHAN TAI MAN/REMI/TIGER2345', { counterpartyName: 'CHAN TAI MAN' }],
    [
      '/ORDP//NAME/CHAN TAI MAN/REMI/STRD/CUR/TIGER2345/RTRN/AC04',
      { isReturned: true, returnReason: 'AC04' },
    ],
  ])('in slash codes of other banks has the reference: %s', async (info, expected) => {
    const entry = await readEntry(line, info);
    expect(entry).toMatchObject(expected);
    expect(entry.reference).toMatch(/^TIGER2345( E-1)?$/);
  });

  test('as plain text is the reference, regardless of line breaks', async () => {
    const wrapped = `${'x'.repeat(60)}TIGER\n2345 for\norder 7`;
    expect(await readEntry(line, wrapped)).toMatchObject({
      reference: `${'x'.repeat(60)}TIGER2345 for order 7`,
    });
    expect(await readEntry(line, '\nTIGER2345')).toMatchObject({ reference: 'TIGER2345' });
    expect(await readEntry(line, 'a\n:86:b')).toMatchObject({ reference: 'a b' });
  });

  test('after the closing balance belongs to no movement', async () => {
    const content = mt940Text(':61:261120C1,NTRF\n:86:TIGER2345').replace('-\n', ':86:closing text\n-\n');
    expect(await readOnlyEntry(content)).toMatchObject({ reference: 'TIGER2345' });
  });
});
