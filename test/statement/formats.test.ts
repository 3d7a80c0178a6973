import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { checkControlTotals } from '../../src/statement/check-control-totals.ts';
import type { StatementSummary } from '../../src/statement/control-totals.ts';
import { readStatement } from '../../src/statement/read-statement.ts';
import type { StatementEntry } from '../../src/statement/statement-entry.ts';
import { toChunks } from '../setup/statement-files.ts';
import { catchErrorText, invalidStatementText, whatMoved, whenBooked } from './read.ts';

const account = { currency: 'NZD', today: '2026-11-21' };

async function read(content: string | Uint8Array, chunkSize = 100) {
  const summaries: StatementSummary[] = [];
  const onStatement = (summary: StatementSummary) => summaries.push(summary);
  const entries = await Array.fromAsync(
    readStatement(toChunks(content, chunkSize), { account, onStatement }),
  );
  return { entries, summaries };
}

const readError = (content: string | Uint8Array) => catchErrorText(async () => (await read(content)).entries);

const fixture = (name: string) => readFile(new URL(`../fixtures/statements/${name}`, import.meta.url));

/** The line, booking time, amount, status, text, counterparty and its account, bank's reference, and own account. */
const toRow = (entry: StatementEntry) => [
  entry.line,
  whenBooked(entry),
  whatMoved(entry),
  entry.status,
  entry.reference,
  entry.counterpartyName ?? '',
  entry.counterpartyAccount ?? '',
  entry.bankReference ?? '',
  entry.accountId ?? '',
];

const files: Record<string, ReturnType<typeof toRow>[]> = {
  'ofx/au-sgml.ofx': [
    [
      27,
      '2026-11-20',
      '12850 AUD',
      'booked',
      "J O'BRIEN Osko payment TIGER2345 & thanks",
      "J O'BRIEN",
      '',
      '2026112000001',
      '123456789',
    ],
    [
      35,
      '2026-11-19T23:30:15.000Z',
      '-125000 AUD',
      'booked',
      'CAFÉ < BAR 000123',
      'CAFÉ < BAR',
      '',
      '2026112000002',
      '123456789',
    ],
    [45, '2026-11-20', '-500 AUD', 'pending', 'Card hold', '', '', '2026112000003', '123456789'],
  ],
  'ofx/nz-xml-two-accounts.qfx': [
    [
      3,
      '2026-11-20',
      '4500 NZD',
      'booked',
      'Aroha Smith HONEY6789',
      'Aroha Smith',
      '03-0001-0000001-00',
      'A1',
      '06-0123-0456789-00',
    ],
    [4, '2026-11-20', '1280 AUD', 'booked', 'TIGER2345', 'Shop 中', '', 'C1', '4999********1234'],
  ],
  'qif/nz-bank.qif': [
    [
      6,
      '2026-11-20',
      '12850 NZD',
      'booked',
      "J O'BRIEN TIGER2345 thanks TXFR",
      "J O'BRIEN",
      '',
      '',
      '06-0123-0456789-00',
    ],
    [12, '2026-11-05', '-125000 NZD', 'booked', 'Landlord', 'Landlord', '', '', '06-0123-0456789-00'],
  ],
  'bai2/hk-two-accounts.bai': [
    [
      4,
      '2026-11-20',
      '12850 HKD',
      'booked',
      'FPS CREDIT, LAU KA YAN TIGER2345 THANKS CUST-7',
      '',
      '',
      'N12345',
      '012345678001',
    ],
    [6, '2026-11-20', '5000 HKD', 'booked', 'HONEY6789', '', '', '', '012345678001'],
    [7, '2026-11-20', '-5000 HKD', 'booked', 'CHEQUE PAID 000123', '', '', 'CHK1', '012345678001'],
    [11, '2026-11-20', '1000 JPY', 'booked', 'LINE A', '', '', 'B1', '012345678002'],
    [11, '2026-11-20', '-0 JPY', 'information', 'NOTICE', '', '', '', '012345678002'],
  ],
};

describe('OFX, QIF and BAI2', () => {
  test.each(Object.entries(files))('%s is read right', async (name, expected) => {
    const { entries } = await read(await fixture(name));
    expect(entries.map(toRow)).toEqual(expected);
  });

  test.each(Object.keys(files))('%s cut at the end of any line is rejected', async (name) => {
    const lines = (await fixture(name)).toString('latin1').split('\n');
    for (let count = 1; count < lines.length - 1; count += 1) {
      const content = Buffer.from(`${lines.slice(0, count).join('\n')}\n`, 'latin1');
      // A QIF file may end after any record, and have no records.
      if (name.startsWith('qif') && count > 4 && /^[!^]/.test(lines[count - 1]!)) continue;
      expect(await readError(content)).toMatch(/^invalid_statement: line \d+: /);
    }
  });
});

describe('OFX', () => {
  test('reports the balance as of the last day of the transactions, and the one before the first day', async () => {
    const file = await fixture('ofx/au-sgml.ofx');
    const { summaries } = await read(file);
    const balance = { currency: 'AUD', isIntermediate: false };
    expect(summaries).toEqual([
      {
        kind: 'ofx',
        line: 17,
        accountId: '123456789',
        accountCurrency: 'AUD',
        controlTotals: {
          openingBalance: { ...balance, minor: 0n, on: '2026-11-19' },
          closingBalance: { ...balance, minor: -112_150n, on: '2026-11-20' },
        },
        totals: expect.objectContaining({ entryCount: 3, creditSum: 12_850n, bookedNetSum: -112_150n }),
      },
    ]);
  });

  test.each([
    ['a first day that is no date', '<DTSTART>20261119', '<DTSTART>00000000'],
    ['a first day after a transaction', '<DTSTART>20261119', '<DTSTART>20261121'],
    ['a transaction after the last day', '<DTPOSTED>20261120000000', '<DTPOSTED>20261121000000'],
    ['a transaction in another currency', '<TRNAMT>128.50', '<CURRENCY><CURSYM>NZD</CURRENCY><TRNAMT>128.50'],
    ['a correction', '<FITID>2026112000001', '<FITID>2026112000001<CORRECTFITID>1<CORRECTACTION>REPLACE'],
  ])('computes no opening balance with %s', async (_, text, replacement) => {
    const file = (await fixture('ofx/au-sgml.ofx')).toString('latin1');
    const { entries, summaries } = await read(Buffer.from(file.replace(text, replacement), 'latin1'));
    expect(entries).toHaveLength(3);
    expect(summaries[0]!.controlTotals).toMatchObject({ closingBalance: { minor: -112_150n } });
    expect(summaries[0]!.controlTotals).not.toHaveProperty('openingBalance');
  });

  const ofx = (transaction: string, currency = 'NZD') =>
    `OFXHEADER:100\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>${currency}<BANKTRANLIST><STMTTRN>${transaction}</STMTTRN></BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`;

  test.each([
    ['12.50', '1250 NZD'],
    ['-12,50', '-1250 NZD'],
    [' +12.5 ', '1250 NZD'],
    ['-1,234,567.00', '-123456700 NZD'],
    ['1250.000', '125000 NZD'],
    ['1234,500', '123450 NZD'],
    ['12345.000', '12345 VND'],
    ['150000,000', '150000 JPY'],
    ['0,500', '50 NZD'],
    [',500', '50 NZD'],
    ['1,250', '1250 KWD'],
    ['500000.00', '500000 VND'],
    ['500000,0000', '500000 VND'],
  ])('the amount %s is exact as %s', async (amount, moved) => {
    const { entries } = await read(ofx(`<DTPOSTED>20261120<TRNAMT>${amount}<FITID>1`, moved.split(' ')[1]));
    expect(entries.map(whatMoved)).toEqual([moved]);
  });

  test.each([
    ['1,000', 'NZD'],
    ['-1,250', 'NZD'],
    ['500,000', 'VND'],
    ['500.000', 'VND'],
    ['150,000', 'JPY'],
    ['150.000', 'IDR'],
  ])('rejects the amount %s %s, whose mark may group its digits', async (amount, currency) => {
    expect(await readError(ofx(`<DTPOSTED>20261120<TRNAMT>${amount}<FITID>1`, currency))).toBe(
      invalidStatementText(3, `"${amount}" is not an amount that can be read in only one way`),
    );
  });

  test.each([
    [
      '<DTPOSTED>20261120<TRNAMT>1,234',
      'the amount 1.234 has more than 2 decimal places, which NZD does not allow',
    ],
    ['<DTPOSTED>20261120<TRNAMT>abc', '"abc" is not an amount'],
    ['<DTPOSTED>20261120<FITID>1', 'this transaction has no amount (TRNAMT)'],
    ['<DTPOSTED>20261320<TRNAMT>1', '"20261320" is not a date'],
    ['<TRNAMT>1<STMTTRN>', '<STMTTRN> begins inside another transaction'],
  ])('%s is rejected', async (transaction, reason) => {
    expect(await readError(ofx(transaction))).toBe(invalidStatementText(3, reason));
  });

  test('a correction is not a movement', async () => {
    const { entries, summaries } = await read(
      ofx('<DTPOSTED>20261120<TRNAMT>1<FITID>2<CORRECTFITID>1<CORRECTACTION>REPLACE'),
    );
    expect(entries).toMatchObject([{ status: 'information' }]);
    expect(summaries[0]!.note).toMatch(/^the bank corrects transactions/);
  });

  test('a file without an account statement is rejected', async () => {
    expect(await readError('OFXHEADER:100\n<OFX><SIGNUPMSGSRSV1></SIGNUPMSGSRSV1></OFX>')).toMatch(
      /this OFX file contains no account statement$/,
    );
  });

  test('may be UTF-16 without a byte order mark', async () => {
    const { entries } = await read(Buffer.from(ofx('<DTPOSTED>20261120<TRNAMT>1<MEMO>陳大文'), 'utf16le'));
    expect(entries).toMatchObject([{ reference: '陳大文' }]);
  });
});

describe('QIF', () => {
  const qif = (...records: string[]) => `!Type:Bank\n${records.map((record) => `${record}\n^\n`).join('')}`;
  const readDates = async (dates: string[], currency = 'NZD') => {
    const content = qif(...dates.map((date) => `D${date}\nT1.00`));
    const options = { account: { ...account, currency } };
    const entries = await Array.fromAsync(readStatement(toChunks(content), options));
    return entries.map(({ bookedOn }) => bookedOn);
  };

  test.each([
    ['by a day above 12', ['05/11/2026', '13/11/2026'], 'NZD', '2026-11-05'],
    ['by a day above 12 in the middle', ['11/05/2026', '11/13/2026'], 'NZD', '2026-11-05'],
    ['because no date is in the future', ['11/12/2026'], 'NZD', '2026-11-12'],
    ['as usual in New Zealand', ['05/06/2026'], 'NZD', '2026-06-05'],
    ['as usual in the Philippines', ['05/06/2026'], 'PHP', '2026-05-06'],
    ['with the year first', ['2026-06-05'], 'PHP', '2026-06-05'],
    ['with an apostrophe before the year', ["5/ 6'26"], 'NZD', '2026-06-05'],
    ['with points', ['20.11.2026'], 'NZD', '2026-11-20'],
  ])('dates are read %s', async (_, dates, currency, expected) => {
    expect((await readDates(dates, currency))[0]).toBe(expected);
  });

  test('an empty or ambiguous section does not determine the order of the dates in the others', async () => {
    const section = (account: string, ...dates: string[]) =>
      `!Account\nNOther\n^\nN${account}\n^\n${qif(...dates.map((date) => `D${date}\nT1.00`))}`;
    const emptySections = '!Type:Cash\n'.repeat(3_000);
    const content = `${emptySections}${section('Shop', '11/05/2026')}${section('Online', '11/13/2026')}`;
    const { entries, summaries } = await read(content);
    expect(entries.map(({ accountId, bookedOn }) => [accountId, bookedOn])).toEqual([
      ['Shop', '2026-11-05'],
      ['Online', '2026-11-13'],
    ]);
    expect(summaries).toHaveLength(3_002);
    expect(summaries.slice(-2)).toMatchObject(
      ['Shop', 'Online'].map((accountId) => ({ accountId, totals: { entryCount: 1, creditSum: 100n } })),
    );
  });

  test.each([
    ['-1,234.56', '-123456 NZD'],
    ['1.234,56', '123456 NZD'],
    ['12,50', '1250 NZD'],
    ['1,234,567', '123456700 NZD'],
    ['.5', '50 NZD'],
    ['+7', '700 NZD'],
  ])('the amount %s is exact', async (amount, moved) => {
    const { entries } = await read(qif(`D20/11/2026\nT${amount}`));
    expect(entries.map(whatMoved)).toEqual([moved]);
  });

  test.each([
    ['D20/11/2026\nT1,234', 2, '"1,234" is not an amount that can be read in only one way'],
    ['D20/11/2026\nT12..3', 2, '"12..3" is not an amount that can be read in only one way'],
    ['D20/11/2026\nPx', 2, 'this record has no amount (T)'],
    ['T1.00', 2, 'this record has no date (D)'],
    [
      'D31/11/2026\nT1.00',
      2,
      '"31/11/2026" is not a date; the other dates of this file are in the order dmy',
    ],
  ])('%j is rejected', async (record, line, reason) => {
    expect(await readError(qif(record))).toBe(invalidStatementText(line, reason));
  });

  test('other sections and the opening balance of Quicken move no money', async () => {
    const content = `!Option:AutoSwitch\n!Type:Cat\nNRent\n^\n${qif('D20/11/2026\nT5.00\nPOpening Balance\nL[Cheque]', 'D20/11/2026\nT1.00')}!Type:Class\nNx\n^\n`;
    const { entries } = await read(content);
    expect(entries.map(({ status }) => status)).toEqual(['information', 'booked']);
    expect(await readError('!Type:Cat\nNRent\n^\n')).toMatch(/contains no account transactions$/);
  });
});

describe('BAI2', () => {
  const bai2 = (movement: string, { modifier = '2', status = '1' } = {}) =>
    `01,A,B,261121,0600,1,,,2/\n02,B,A,${status},261120,2359,HKD,${modifier}/\n03,123,,/\n${movement}\n49,0,3/\n98,0,1,5/\n99,0,1,7/\n`;

  test('reports the balances and sums of each account', async () => {
    const { summaries } = await read(await fixture('bai2/hk-two-accounts.bai'));
    const balance = { currency: 'HKD', on: '2026-11-20', isIntermediate: false };
    expect(summaries).toMatchObject([
      {
        accountId: '012345678001',
        controlTotals: {
          openingBalance: { ...balance, minor: 100_000n },
          closingBalance: { ...balance, minor: 112_850n },
          creditCount: 2,
          creditSum: 17_850n,
          debitCount: 1,
          debitSum: 5000n,
        },
        totals: { creditCount: 2, creditSum: 17_850n, debitCount: 1, debitSum: 5000n, bookedNetSum: 12_850n },
      },
      {
        accountId: '012345678002',
        accountCurrency: 'JPY',
        controlTotals: { closingBalance: { minor: 1500n } },
      },
    ]);
  });

  test.each([
    [{ modifier: '2' }, 'booked'],
    [{ modifier: '4' }, 'booked'],
    [{ modifier: '' }, 'booked'],
    [{ modifier: '1' }, 'provisional'],
    [{ modifier: '3' }, 'provisional'],
    [{ status: '4' }, 'information'],
  ])('a movement of a group %o is %s', async (shape, status) => {
    const { entries } = await read(bai2('16,195,100,Z,,,TIGER2345/', shape));
    expect(entries).toMatchObject([{ status, reference: 'TIGER2345' }]);
  });

  test.each([
    ['16,195,-100,Z,,,x/', { direction: 'debit', isReversal: true, amount: { minor: 100n } }],
    ['16,475,-100,Z,,,x/', { direction: 'credit', isReversal: true, amount: { minor: 100n } }],
    ['16,195,100,D,2,0,50,1,50,REF,,x/', { bankReference: 'REF', reference: 'x' }],
    ['16,195,100,,REF,CUST/', { bankReference: 'REF', reference: 'CUST' }],
  ])('%s is read right', async (movement, expected) => {
    expect((await read(bai2(movement))).entries).toMatchObject([expected]);
  });

  test.each([
    ['16,951,100,Z,,,x/', 4, 'the type code "951" is neither a credit nor a debit'],
    ['16,195,1.00,Z,,,x/', 4, '"1.00" is not an amount'],
    ['16,195,100,V,261131,,,,x/', 4, '"261131" is not a date (YYMMDD)'],
    ['17,195/', 4, '"17,195/" is not a BAI2 record'],
  ])('%s is rejected', async (movement, line, reason) => {
    expect(await readError(bai2(movement))).toBe(invalidStatementText(line, reason));
  });

  test('a record has at most 1,000 continuations', async () => {
    const continued = (count: number) => bai2(`16,195,100,Z,,,x${'\n88,'.repeat(count)}`);
    expect((await read(continued(1_000))).entries).toHaveLength(1);
    expect(await readError(continued(1_001))).toBe(
      invalidStatementText(4, 'this record has too many continuations (88)'),
    );
  });

  test.each([
    ['agrees with', '16,195,300,Z,,,x/\n16,475,-100,Z,,,y\n88,z/', '49,1700,5/', []],
    [
      'lacks a movement of',
      '16,195,300,Z,,,x/',
      '49,1700,4/',
      [
        ['entry_count', '2', '1'],
        ['entry_sum', '200', '300'],
      ],
    ],
  ])('an account that %s its trailer', async (_, movements, trailer, expected) => {
    const content = bai2(movements).replace('03,123,,/', '03,123,,040,1500,,/').replace('49,0,3/', trailer);
    const { summaries } = await read(content);
    const accounts = summaries.filter(({ trailerTotals }) => !trailerTotals);
    const found = checkControlTotals(accounts).map(({ kind, ...one }) => [kind, one.expected, one.actual]);
    expect(found).toEqual(expected);
  });

  test('the trailers of the group and of the file agree with their parts, or each difference is reported', async () => {
    const whole = (await fixture('bai2/hk-two-accounts.bai')).toString();
    const compare = async (content: string) =>
      checkControlTotals((await read(content)).summaries).map(
        ({ line, kind, expected, actual, currency }) => {
          expect(currency).toBeUndefined();
          return [line, kind, expected, actual];
        },
      );
    expect(await compare(whole)).toEqual([]);
    // Empty fields are not compared.
    expect(await compare(whole.replace('98,261550,2,13/', '98,,,/'))).toEqual([]);
    const withoutSecondAccount = whole.replace(/^03,012345678002[\s\S]*?^49,3000,5\/\n/m, '');
    expect(withoutSecondAccount).not.toBe(whole);
    expect(await compare(withoutSecondAccount)).toEqual([
      [9, 'control_total', '261550', '258550'],
      [9, 'account_count', '2', '1'],
      [9, 'record_count', '13', '8'],
      [10, 'record_count', '15', '10'],
    ]);
    const [fileHeader, ...lines] = whole.trim().split('\n');
    const group = lines.slice(0, -1).join('\n');
    const twoGroups = (trailer: string) => `${fileHeader}\n${group}\n${group}\n${trailer}\n`;
    expect(await compare(twoGroups('99,523100,2,28/'))).toEqual([]);
    expect(await compare(twoGroups('99,261550,1,15/'))).toEqual([
      [26, 'control_total', '261550', '523100'],
      [26, 'group_count', '1', '2'],
      [26, 'record_count', '15', '28'],
    ]);
  });

  test('an account without its trailer is rejected', async () => {
    expect(await readError(bai2('16,195,1,Z,,,x/').replace('49,0,3/\n', ''))).toBe(
      invalidStatementText(5, 'the account before this record has no trailer (49)'),
    );
  });

  test('a group that deletes an earlier report is rejected', async () => {
    expect(await readError(bai2('16,195,1,Z,,,x/', { status: '2' }))).toMatch(/deletes an earlier report/);
  });
});
