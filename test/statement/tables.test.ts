import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { guessCsvMapping } from '../../src/statement/csv-guess.ts';
import type { CsvMapping } from '../../src/statement/csv-mapping.ts';
import { detectFormat, readStatement } from '../../src/statement/read-statement.ts';
import { formatXlsxDate, formatXlsxNumber, isDateFormat } from '../../src/statement/xlsx-number.ts';
import { count } from '../setup/counts.ts';
import { csvMapping, toChunks } from '../setup/statement-files.ts';
import { xlsxWorkbook, zipFiles } from '../setup/xlsx.ts';
import { summarizeCsvEntry } from './csv-text.ts';
import { catchErrorText } from './read.ts';

const today = '2026-11-21';
/** 20 November 2026 as a serial number of Excel. */
const serialDay = 46346;
const header = ['Date', 'Description', 'Amount', 'Balance'];
const rows = [
  ['My Bank', '', '', ''],
  header,
  [{ day: serialDay }, 'FPS TIGER2345', 1128.5, 2128.5],
  [{ day: serialDay - 1 }, 'CHARGES', -45, 1000],
];

async function readTable(
  content: Uint8Array | string,
  { currency = 'HKD', mapping }: { currency?: string; mapping?: CsvMapping } = {},
) {
  const used = mapping ?? (await guessCsvMapping(() => toChunks(content), { currency, today })).mapping;
  const entries = readStatement(toChunks(content), { csv: { mapping: used, currency, today } });
  return (await Array.fromAsync(entries)).map(summarizeCsvEntry);
}

const expected = [
  [3, '2026-11-20', '112850 HKD', 'FPS TIGER2345'],
  [4, '2026-11-19', '-4500 HKD', 'CHARGES'],
];

describe('an Excel workbook', () => {
  test('is read directly, with its own dates and numbers', async () => {
    const workbook = xlsxWorkbook({ Statement: rows });
    expect(detectFormat(workbook)).toEqual({ format: 'csv', fileKind: 'xlsx' });
    expect(await readTable(workbook)).toEqual(expected);
  });

  test('has the dates of its date system, also where texts have Buddhist years', async () => {
    const workbook = xlsxWorkbook(
      { Statement: [header, [{ day: serialDay - 1462 }, 'X', 5, 5]] },
      { isDate1904: true },
    );
    const mapping = csvMapping({ hasBuddhistYears: true });
    expect(await readTable(workbook, { mapping })).toEqual([[2, '2026-11-20', '500 HKD']]);
  });

  test('has the decimals of its numbers, regardless of the decimal mark of its texts', async () => {
    const workbook = xlsxWorkbook({
      Statement: [header, [{ day: serialDay }, 'A', 1.25, 1], ['19/11/2026', 'B', '1.250,75', 1]],
    });
    const mapping = csvMapping({ decimalMark: ',', dateOrder: 'dmy', referenceColumns: ['Description'] });
    expect(await readTable(workbook, { mapping })).toEqual([
      [2, '2026-11-20', '125 HKD', 'A'],
      [3, '2026-11-19', '125075 HKD', 'B'],
    ]);
  });

  test('is never calculated: a formula is its stored value, or an error that names the row', async () => {
    const stored = xlsxWorkbook({
      Statement: [header, [{ day: serialDay }, 'A', { formula: '1+1', value: 2 }, 1]],
    });
    expect(await readTable(stored, { mapping: csvMapping() })).toEqual([[2, '2026-11-20', '200 HKD']]);
    const empty = xlsxWorkbook({ Statement: [header, [{ day: serialDay }, 'A', { formula: '1+1' }, 1]] });
    expect(await catchErrorText(() => readTable(empty, { mapping: csvMapping() }))).toBe(
      'invalid_statement: line 2: "formula without a stored value" is not an amount; the decimal mark is "."',
    );
  });

  test('with movements in several sheets is read after a person has chosen one', async () => {
    const other = [header, [{ day: serialDay }, 'HONEY6789', 7, 7]];
    const workbook = xlsxWorkbook(
      { Notes: [['Read me']], Hongkong: rows, Macau: other, Old: other },
      { hidden: ['Old'] },
    );
    const { mapping, questions } = await guessCsvMapping(() => toChunks(workbook), {
      currency: 'HKD',
      today,
    });
    expect([mapping.sheet, questions]).toEqual(['Hongkong', [{ kind: 'sheet', sample: 'Macau' }]]);
    expect(await readTable(workbook, { mapping })).toEqual(expected);
    const { sheet: _, ...unnamed } = mapping;
    expect(await catchErrorText(() => readTable(workbook, { mapping: unnamed }))).toBe(
      'invalid_statement: line 1: several sheets have movements: "Hongkong", "Macau"; choose one as "sheet" of the mapping',
    );
    expect(
      await catchErrorText(() => readTable(workbook, { mapping: { ...mapping, sheet: 'March' } })),
    ).toContain('the workbook has no sheet "March"; it has "Notes", "Hongkong", "Macau"');
  });

  test('with a second table below the first is rejected, with the row of its header', async () => {
    const second = [
      ['Value date', 'Narrative', 'Debit', 'Credit'],
      [{ day: serialDay }, 'HONEY6789', '', 7],
    ];
    const workbook = xlsxWorkbook({ Statement: [...rows, ...second] });
    expect(await catchErrorText(() => readTable(workbook))).toBe(
      'invalid_statement: line 5: another table begins here: import it as a file of its own',
    );
  });

  test.each([
    ['cut', xlsxWorkbook({ Statement: rows }).subarray(0, 900), 'this ZIP archive is damaged or truncated'],
    ['without sheets', xlsxWorkbook({}), 'the workbook has no worksheet'],
    [
      'with a declared entity',
      zipFiles({ '[Content_Types].xml': '', 'xl/workbook.xml': '<!DOCTYPE a [<!ENTITY b "c">]><workbook/>' }),
      'xl/workbook.xml cannot be read: document type declarations (DTD) are not allowed',
    ],
    [
      'that inflates without end',
      zipFiles({ '[Content_Types].xml': '', 'xl/workbook.xml': Buffer.alloc(17 * 1024 * 1024, ' ') }),
      'xl/workbook.xml cannot be read: the archive contains more than 16 MiB',
    ],
  ])('%s is rejected', async (_, bytes, reason) => {
    const refusal = await catchErrorText(() => readTable(bytes, { mapping: csvMapping() }));
    expect(refusal).toContain('invalid_statement: line 1: ');
    expect(refusal).toContain(reason);
  });

  test('of the format before 2007 is rejected with how to convert it', () => {
    const biff = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
    expect(() => detectFormat(biff)).toThrow('open it in Excel or LibreOffice and save it as .xlsx');
  });
});

describe('a number of a workbook', () => {
  test.each([
    ['1234.5600000000001', '1234.56'],
    ['-0.1', '-0.1'],
    ['1E+15', '1000000000000000'],
    ['1.5e-3', '0.0015'],
    ['0', '0'],
    ['#N/A', '#N/A'],
  ])('%s is %s', (text, expectedText) => {
    expect(formatXlsxNumber(text)).toBe(expectedText);
  });

  test('of up to 15 digits is read back exactly', () => {
    const minor = fc.bigInt({ min: -(10n ** 15n) + 1n, max: 10n ** 15n - 1n });
    fc.assert(
      fc.property(minor, fc.integer({ min: 0, max: 3 }), (value, decimals) => {
        const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0');
        const text = `${value < 0n ? '-' : ''}${digits.slice(0, digits.length - decimals)}${decimals === 0 ? '' : `.${digits.slice(-decimals)}`}`;
        const written = String(Number(text));
        const read = formatXlsxNumber(written);
        expect(Number(read)).toBe(Number(text));
        expect(read).toMatch(/^-?\d+(\.\d*[1-9])?$/);
        const [whole = '', fraction = ''] = read.replace('-', '').split('.');
        expect(BigInt(whole + fraction.padEnd(decimals, '0'))).toBe(value < 0n ? -value : value);
      }),
      { numRuns: count(500, 20_000) },
    );
  });

  test('of a day is that day, in both date systems', () => {
    fc.assert(
      fc.property(fc.integer({ min: 61, max: 2_958_465 }), fc.nat(86_399), (day, second) => {
        const expectedDay = new Date(Date.UTC(1899, 11, 30) + day * 86_400_000).toISOString().slice(0, 10);
        const text = String(day + second / 86_400);
        expect(formatXlsxDate(text, '1900')?.slice(0, 10)).toBe(expectedDay);
        const seconds = [3600, 60, 1].map((unit) =>
          String(Math.floor(second / unit) % (unit === 3600 ? 24 : 60)).padStart(2, '0'),
        );
        if (second > 0) expect(formatXlsxDate(text, '1900')?.slice(11)).toBe(seconds.join(':'));
        if (day >= 1462 + 1) expect(formatXlsxDate(String(day - 1462), '1904')).toBe(expectedDay);
      }),
      { numRuns: count(500, 20_000) },
    );
  });

  test.each([
    [14, undefined, true],
    [0, undefined, false],
    [164, 'dd/mm/yyyy', true],
    [164, '[$-409]d-mmm-yy;@', true],
    [164, '#,##0.00_);[Red](#,##0.00)', false],
    [164, '"day" 0', false],
    [164, 'General', false],
  ])('with the format %d %s shows a date: %s', (id, code, isDate) => {
    expect(isDateFormat(id, code)).toBe(isDate);
  });
});

describe('an HTML table', () => {
  const html = (encoding: string) =>
    `<html><head><meta http-equiv="Content-Type" content="text/html; charset=${encoding}"><style>td { color: red }</style></head>
<body><table><tr><td colspan=4>My Bank</td></tr>
<tr><th>日期<th>摘要<th>金额<th>余额</tr>
<tr><td>20/11/2026<td>FPS&nbsp;TIGER2345<br>CHAN TAI MAN<td align=right>1,128.50</td><td>2,128.50</td></tr>
<tr><td>19/11/2026</td><td>CHARGES &amp; FEES</td><td>-45.00</td><td>1,000.00</td></tr></table></body></html>`;

  test.each(['utf-8', 'utf-16le'])('named .xls in %s is read like a workbook', async (encoding) => {
    const bytes =
      encoding === 'utf-8' ? Buffer.from(html(encoding)) : Buffer.from(`\uFEFF${html(encoding)}`, 'utf16le');
    expect(detectFormat(bytes)).toEqual({ format: 'csv', fileKind: 'html' });
    expect(await readTable(bytes)).toEqual([
      [4, '2026-11-20', '112850 HKD', 'FPS TIGER2345 CHAN TAI MAN'],
      [5, '2026-11-19', '-4500 HKD', 'CHARGES & FEES'],
    ]);
  });

  test('that is missing is distinguished from an error page of the bank', async () => {
    const page = '<!DOCTYPE html><html><body><p>Your session has expired.</p></body></html>';
    expect(await catchErrorText(() => readTable(page, { mapping: csvMapping() }))).toBe(
      'invalid_statement: line 1: this HTML page has no table; it may be an error or sign-in page of the bank',
    );
  });
});

test('bytes that begin like a workbook or a page are read or rejected', async () => {
  const heads = [xlsxWorkbook({ A: rows }), Buffer.from('<html><table><tr><td>2026-11-20<td>5</table>')];
  const cases = fc.tuple(
    fc.constantFrom(...heads),
    fc.array(fc.tuple(fc.nat(3000), fc.nat(255)), { maxLength: 8 }),
  );
  await fc.assert(
    fc.asyncProperty(cases, async ([head, changes]) => {
      const bytes = Buffer.from(head);
      for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
      const outcome = await catchErrorText(() =>
        readTable(bytes, { mapping: csvMapping({ hasHeader: false, dateColumn: '#1', amountColumn: '#2' }) }),
      );
      expect(outcome).toMatch(/^(\d+ entries|invalid_statement: line \d+: )/);
    }),
    { numRuns: count(100, 3_000) },
  );
});
