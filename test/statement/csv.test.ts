import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseCsvAmount } from '../../src/statement/csv-amount.ts';
import { parseCsvDate } from '../../src/statement/csv-date.ts';
import { guessCsvMapping } from '../../src/statement/csv-guess.ts';
import { checkCsvMapping } from '../../src/statement/csv-mapping.ts';
import { count } from '../setup/counts.ts';
import { csvMapping, toChunks } from '../setup/statement-files.ts';
import { csvRefusal, readCsvText } from './csv-text.ts';
import { invalidStatementText } from './read.ts';

const amount = (cell: string, decimalMark: '.' | ',' = '.') => {
  const read = parseCsvAmount(cell, { decimalMark, line: 1 });
  return read && `${read.isNegative ? '-' : ''}${read.text}`;
};

const separateColumns = { amountFormat: 'separate_columns', creditColumn: 'In', debitColumn: 'Out' } as const;

describe('an amount', () => {
  test.each([
    ['1,234.50', '.', '1234.50'],
    ['1.234,50', ',', '1234.50'],
    ['1 234,50', ',', '1234.50'],
    ["1'234.50", '.', '1234.50'],
    ['1,25,000.00', '.', '125000.00'],
    ['(12.00)', '.', '-12.00'],
    ['12.00-', '.', '-12.00'],
    ['-12.00', '.', '-12.00'],
    ['−12.00', '.', '-12.00'],
    ['+12.00', '.', '12.00'],
    ['HK$ 12.00', '.', '12.00'],
    ['12.00 DR', '.', '-12.00'],
    ['12.00 DB', '.', '-12.00'],
    ['12.00 D', '.', '-12.00'],
    ['12.00 Cr', '.', '12.00'],
    ['1,00,000.00(Cr)', '.', '100000.00'],
    ['12.00 (Dr)', '.', '-12.00'],
    ['Rp. 1.000,-', ',', '1000'],
    ['฿1,000', '.', '1000'],
    ['1,000円', '.', '1000'],
    ['１２．５０', '.', '12.50'],
    ['.50', '.', '.50'],
    ['', '.', undefined],
    ['-', '.', undefined],
  ] as const)('%s with the decimal mark %s is %s', (cell, mark, expected) => {
    expect(amount(cell, mark)).toBe(expected);
  });

  test.each(['1,5', '1,2345', '12,345,6', '1.2.3', 'abc', '12 apples', '1,234.50', '--1', '(1'])(
    '%s is rejected as ambiguous or invalid',
    (cell) => {
      expect(() => amount(cell, cell === '1,234.50' ? ',' : '.')).toThrow(/^line 1: /);
    },
  );

  test('written in any customary way is read back', () => {
    const minor = fc.bigInt({ min: 0n, max: 10n ** 14n });
    const style = fc.constantFrom(['.', ','], [',', '.'], [',', ' '], ['.', "'"], ['.', '']);
    fc.assert(
      fc.property(minor, style, fc.boolean(), (value, [mark, group], isNegative) => {
        const digits = value.toString().padStart(3, '0');
        const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, group!);
        const cell = `${isNegative ? '-' : ''}${whole}${mark}${digits.slice(-2)}`;
        expect(amount(cell, mark as '.' | ',')).toBe(
          `${isNegative ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`,
        );
      }),
      { numRuns: count(300, 5000) },
    );
  });
});

describe('a date', () => {
  const date = (cell: string, dateOrder: 'ymd' | 'dmy' | 'mdy', time = '', hasBuddhistYears = false) => {
    const { bookedOn, bookedAt, bookedAtLocal } = parseCsvDate(cell, time, {
      dateOrder,
      hasBuddhistYears,
      line: 1,
    });
    return bookedAt?.toISOString() ?? bookedAtLocal ?? bookedOn;
  };

  test.each([
    ['2026-11-20', 'ymd', '2026-11-20'],
    ['2026-11-20', 'dmy', '2026-11-20'],
    ['20/11/26', 'dmy', '2026-11-20'],
    ['3/4/2026', 'dmy', '2026-04-03'],
    ['3/4/2026', 'mdy', '2026-03-04'],
    ['26/11/20', 'ymd', '2026-11-20'],
    ['20261120', 'ymd', '2026-11-20'],
    ['20112026', 'dmy', '2026-11-20'],
    ['20 Nov 2026', 'dmy', '2026-11-20'],
    ['20 Nov 2026', 'ymd', '2026-11-20'],
    ['26 Nov 20', 'ymd', '2026-11-20'],
    ['20-NOV-26', 'dmy', '2026-11-20'],
    ['Nov 20, 2026', 'mdy', '2026-11-20'],
    ['2026年11月20日', 'ymd', '2026-11-20'],
    ['2026년 11월 20일', 'ymd', '2026-11-20'],
    ['20/11/2026 8:30 PM', 'dmy', '2026-11-20T20:30:00'],
    ['20/11/2026 12:05 am', 'dmy', '2026-11-20T00:05:00'],
    ['20261120083005', 'ymd', '2026-11-20T08:30:05'],
    ['2026-11-20T08:30:00+08:00', 'ymd', '2026-11-20T00:30:00.000Z'],
    ['2026-11-20 00:00:00', 'ymd', '2026-11-20'],
  ] as const)('%s in the order %s is %s', (cell, order, expected) => {
    expect(date(cell, order)).toBe(expected);
  });

  test('without a year is the latest such date that is at most a few days in the future', () => {
    const on = (cell: string, dateOrder: 'ymd' | 'dmy' | 'mdy', today: string) =>
      parseCsvDate(cell, '', { dateOrder, hasBuddhistYears: false, line: 1, today }).bookedOn;
    expect(on('20/11', 'dmy', '2026-11-21')).toBe('2026-11-20');
    expect(on('11/20', 'mdy', '2026-11-21')).toBe('2026-11-20');
    expect(on('20 Nov', 'dmy', '2026-11-21')).toBe('2026-11-20');
    expect(on('20 Nov', 'ymd', '2026-11-21')).toBe('2026-11-20');
    expect(on('31/12', 'dmy', '2027-01-02')).toBe('2026-12-31');
    expect(on('02/01', 'dmy', '2026-12-31')).toBe('2027-01-02');
    expect(on('28/02', 'dmy', '2026-11-21')).toBe('2026-02-28');
    expect(() => on('31/02', 'dmy', '2026-11-21')).toThrow('is not a date');
    expect(() => date('20/11', 'dmy')).toThrow('is not a date');
  });

  test('that is years in the future is rejected, because the mapping does not fit', () => {
    const on = (cell: string, hasBuddhistYears: boolean) =>
      parseCsvDate(cell, '', { dateOrder: 'dmy', hasBuddhistYears, line: 7, today: '2026-11-21' }).bookedOn;
    expect(() => on('20/11/2569', false)).toThrow(
      'line 7: "20/11/2569" is years in the future; if years are in the Buddhist era, set hasBuddhistYears',
    );
    expect(on('20/11/2569', true)).toBe('2026-11-20');
    expect(on('20/11/69', true)).toBe('2026-11-20');
    expect(on('20/11/2027', false)).toBe('2027-11-20');
  });

  test('may be of the Buddhist era, or have its time in another cell', () => {
    expect(date('20/11/2569', 'dmy', '', true)).toBe('2026-11-20');
    expect(date('20/11/69', 'dmy', '', true)).toBe('2026-11-20');
    expect(date('20/11/2026', 'dmy', '오후 2:05')).toBe('2026-11-20T14:05:00');
  });

  test.each([
    ['31/02/2026', 'dmy'],
    ['20/11/2026', 'mdy'],
    ['yesterday', 'dmy'],
    ['20/11', 'dmy'],
    ['20/11/2026 25:00', 'dmy'],
    ['20/11/2026 soon', 'dmy'],
  ] as const)('%s in the order %s is rejected', (cell, order) => {
    expect(() => date(cell, order)).toThrow(/^line 1: ".*" is not a date/);
  });
});

describe('an invalid file is rejected with the line and the reason', () => {
  const references = ['Text'];
  test.each([
    ['an invalid date', 'Date,Amount,Text\n2026-11-20,1,a\n2026-13-20,1,b', 3, '"2026-13-20" is not a date'],
    [
      'an amount that the error truncates inside a character',
      `Date,Amount,Text\n2026-11-20,${'x'.repeat(39)}𠮷,a`,
      2,
      `"${'x'.repeat(39)}\ufffd" is not an amount`,
    ],
    ['an invalid amount', 'Date,Amount,Text\n2026-11-20,one,a', 2, '"one" is not an amount'],
    [
      'too many digits',
      'Date,Amount,Text\n2026-11-20,1.005,a',
      2,
      'the amount 1.005 has more than 2 decimal places, which HKD does not allow',
    ],
    [
      'a quote that is not closed',
      'Date,Amount,Text\n2026-11-20,1,a\n2026-11-20,1,"b\n',
      3,
      'a quoted field in this row is not closed',
    ],
    ['a missing column', '\nDate,Amount\n2026-11-20,1', 2, 'the header has no column "Text"'],
    [
      'a repeated column',
      'Date,Amount,Text,Text\n2026-11-20,1,a,b',
      1,
      'the header has the column "Text" more than once',
    ],
    [
      'bytes of another encoding',
      Buffer.from('Date,Amount,Text\n2026-11-20,1,caf\xe9\n', 'latin1'),
      2,
      'these bytes are not valid UTF-8 text',
    ],
    [
      'U+0000',
      'Date,Amount,Text\n2026-11-20,1,a\0b',
      2,
      'this is not a text file: it contains the character U+0000',
    ],
    [
      'a mapping that does not fit',
      'Date,Amount,Text\n2026-11-20,,a\n2026-11-20,,a',
      1,
      'no row has an amount',
    ],
    [
      'a row without end',
      `Date,Amount,Text\n2026-11-20,1,"${'x'.repeat(70_000)}"`,
      2,
      'a row is longer than 65536 characters',
    ],
  ] as const)('if there is %s', async (_, content, line, reason) => {
    const refusal = await csvRefusal(content as string, {
      mapping: csvMapping({ referenceColumns: references }),
    });
    expect(refusal).toContain(invalidStatementText(line, reason));
  });

  test('if a row has neither credit nor debit, or both', async () => {
    const direction = csvMapping({
      amountFormat: 'direction_column',
      directionColumn: 'Way',
      creditValues: ['in'],
      debitValues: ['out'],
    });
    const unknownWay = 'Date,Amount,Way\n2026-11-20,1,IN\n2026-11-20,1,?';
    const words = await csvRefusal(unknownWay, { mapping: direction });
    expect(words).toBe(
      invalidStatementText(3, '"?" is in neither creditValues nor debitValues of the mapping'),
    );
    const withoutHeader = csvMapping({ hasHeader: false });
    expect(await csvRefusal('2026-11-20,1', { mapping: withoutHeader })).toContain(
      'without a header, the mapping must name columns by number, such as "#1", not "Date"',
    );
    const columns = csvMapping(separateColumns);
    const both = await csvRefusal('Date,In,Out\n2026-11-20,1,2\n', { mapping: columns });
    expect(both).toBe(invalidStatementText(2, 'this row has both a credit and a debit'));
  });
});

describe('a row that has nothing but text', () => {
  const mapping = csvMapping({ referenceColumns: ['Text', 'More'] });
  const read = async (rows: string) =>
    (await readCsvText(`Date,Amount,Text,More,Balance\n${rows}`, { mapping })).map(({ line, reference }) => [
      line,
      reference,
    ]);

  test('continues the text of the movement above, over any number of rows', async () => {
    const rows = '2026-11-20,5,FPS,,9\n,,TIGER,\n,,2345,CHAN\n2026-11-20,7,HONEY,,9\n';
    expect(await read(rows)).toEqual([
      [2, 'FPS TIGER 2345 CHAN'],
      [5, 'HONEY'],
    ]);
  });

  test('is ignored with a date or a balance, or above all movements', async () => {
    const rows = ',,opening,\n2026-11-20,5,FPS,,9\n2026-11-20,,interest rate changes,\n,,closing,,9\n';
    expect(await read(rows)).toEqual([[3, 'FPS']]);
  });
});

describe('with a mapping', () => {
  test('a text with line ends or tabs becomes one line and keeps its spaces', async () => {
    const mapping = csvMapping({ referenceColumns: ['Text'] });
    const [entry] = await readCsvText('Date,Amount,Text\n2026-11-20,5,"FPS  \n TIGER\t12  34"', { mapping });
    expect(entry?.reference).toBe('FPS TIGER 12  34');
  });

  test('ignores lines above and rows below, and reports pending rows', async () => {
    const mapping = csvMapping({
      skipLines: 2,
      footerRows: 1,
      statusColumn: 'State',
      bookedValues: ['done'],
    });
    const text = 'Our "Bank\n\nDate,Amount,State\n2026-11-20,5,Done\n2026-11-20,6,Waiting\nTotal,11,\n';
    const entries = await readCsvText(text, { mapping });
    expect(entries.map(({ line, amount, status }) => [line, amount.minor, status])).toEqual([
      [4, 500n, 'booked'],
      [5, 600n, 'pending'],
    ]);
  });

  test('reads a negative credit as a reversal, and the currency of each row from its column', async () => {
    const mapping = csvMapping({ ...separateColumns, currencyColumn: 'Ccy' });
    const text = 'Date,In,Out,Ccy\n2026-11-20,-5,,\n2026-11-20,,6,usd\n2026-11-20,,-7,';
    const entries = await readCsvText(text, { mapping });
    expect(entries.map(({ direction, isReversal, amount }) => [direction, isReversal, amount])).toEqual([
      ['debit', true, { minor: 500n, currency: 'HKD' }],
      ['debit', false, { minor: 600n, currency: 'USD' }],
      ['debit', false, { minor: 700n, currency: 'HKD' }],
    ]);
  });

  test.each([
    [{ encoding: 'ebcdic' }, '/mapping/encoding'],
    [{ amountColumn: undefined }, '/mapping/amountColumn'],
    [{ amountFormat: 'direction_column' }, '/mapping/directionColumn'],
    [{ statusColumn: 'State' }, '/mapping/bookedValues'],
    [{ dateOrder: 'ydm' }, '/mapping/dateOrder'],
    [{ skipLines: -1 }, '/mapping/skipLines'],
    [{ surprise: 1 }, '/mapping/surprise'],
  ])('with %j is rejected, with the path of the member', (change, path) => {
    expect(() => checkCsvMapping({ ...csvMapping(), ...change })).toThrow(
      expect.objectContaining({ code: 'invalid_request', inputErrors: [expect.objectContaining({ path })] }),
    );
  });

  test('is valid when it is detected from any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (bytes) => {
        const { mapping } = await guessCsvMapping(() => toChunks(bytes), { currency: 'HKD' });
        checkCsvMapping(mapping);
      }),
      { numRuns: count(100, 2000) },
    );
  });
});
