import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { guessCsvMapping } from '../../src/statement/csv-guess.ts';
import type { CsvMapping } from '../../src/statement/csv-mapping.ts';
import { count } from '../setup/counts.ts';
import { csvMapping, toChunks } from '../setup/statement-files.ts';
import { csvRefusal, readCsvText, summarizeCsvEntry } from './csv-text.ts';

const guess = (text: string, currency = 'HKD', today = '2026-11-21') =>
  guessCsvMapping(() => toChunks(text), { currency, today });

async function readGuessed(text: string, currency = 'HKD', change: Partial<CsvMapping> = {}) {
  const { mapping } = await guess(text, currency);
  const entries = await readCsvText(text, {
    mapping: { ...mapping, ...change },
    currency,
    today: '2026-11-21',
  });
  return entries.map(summarizeCsvEntry);
}

describe('a row with a date and an amount', () => {
  test('is a movement even in the rows of the footer', async () => {
    const mapping = csvMapping({ footerRows: 2, referenceColumns: ['Text'] });
    const text = 'Date,Amount,Text\n2026-11-20,5,A\n2026-11-20,70,TIGER2345\nTotal,75,\n';
    expect((await readCsvText(text, { mapping })).map(summarizeCsvEntry)).toEqual([
      [2, '2026-11-20', '500 HKD', 'A'],
      [3, '2026-11-20', '7000 HKD', 'TIGER2345'],
    ]);
  });

  test.each([
    [
      'without a header',
      false,
      'Account 123,,\n2026-11-18,5,A\n2026-11-19,"6,000.00",B\n2026-11-20,7,C\n',
      2,
    ],
    ['without a row below', false, 'Account 123\n2026-11-18,5,A\n', 2],
    ['above a repeated header', true, 'Account 123\nDate,Amount,Text\n2026-11-18,5,A\nDate,Amount,Text\n', 3],
    ['with quotes that are not closed', false, '"Note\n2026-11-18,5,A\n2026-11-20,7,C\n', 2],
  ])('is never skipped at the top: %s', async (_, hasHeader, text, line) => {
    const columns = hasHeader ? {} : { dateColumn: '#1', amountColumn: '#2', referenceColumns: ['#3'] };
    const skipped = csvMapping({ ...columns, hasHeader, skipLines: 2 + Number(hasHeader) });
    const reason = 'this row has a date and an amount, but the mapping skips it: correct skipLines';
    expect(await csvRefusal(text, { mapping: skipped })).toBe(`invalid_statement: line ${line}: ${reason}`);
    const mapping = { ...skipped, skipLines: 1 };
    expect(await csvRefusal(text, { mapping })).toMatch(/^[123] entries$/);
  });

  test.each([
    ['in the middle', 'Date,Text,Amount', '2026-11-18,"A,100.00\n2026-11-19,"B,50.00\n', 2],
    ['around other rows', 'Date,Text,Amount', '2026-11-18,"A,5\n2026-11-19,B,6\n2026-11-19,"C,7\n', 2],
    ['before a quoted text', 'Date,Text,Amount', '2026-11-18,"A,5\n2026-11-19,"B, Ltd",50.00\n', 2],
    ['closed by a quote', 'Date,Text,Amount', '2026-11-18,"A,5\n2026-11-19,B",50.00\n', 2],
    ['in the first column', 'Text,Date,Amount', '"A,2026-11-18,100.00\n"B,2026-11-19,50.00\n', 2],
    ['in the last column', 'Date,Amount,Text', '2026-11-18,5,"A\n2026-11-19,6,"B\n', 2],
    ['in the last column of short rows', 'Date,Amount,Text,Note', '2026-11-18,5,"A\n2026-11-19,6,"B\n', 2],
    ['after several lines', 'Date,Note,Text,Amount', '2026-11-18,"x\ny","A,5\n2026-11-19,z,"B,6\n', 3],
  ])('is not lost between two stray quotes %s', async (_, header, rows, line) => {
    const mapping = csvMapping({ referenceColumns: ['Text'] });
    expect(await csvRefusal(`${header}\n${rows}`, { mapping })).toBe(
      `invalid_statement: line ${line}: a text of this row contains another row with a date and an amount: a quote is not closed`,
    );
  });

  test.each([
    ['a date in its own line', '2026-11-18,5.00,"FPS\n2026-11-18\nTIGER2345",500.00'],
    ['an amount and commas', '2026-11-18,5.00,"Chan, Tai Man\nTIGER2345, HKD 5.00",500.00'],
    ['a date and commas', '2026-11-18,5.00,"FPS, TIGER2345\n2026-11-18",500.00'],
    ['a date and an amount', '2026-11-18,5.00,"Card\n18 Nov 2026, SGD 12.50\nTIGER2345",500.00'],
    ['a date and an amount at its end', '2026-11-18,5.00,"A, TIGER2345\n18 Nov 2026, 12.50",500.00'],
  ])('may have a text of several lines with %s', async (_, row) => {
    const mapping = csvMapping({ referenceColumns: ['Text'] });
    const [entry] = await readCsvText(`Date,Amount,Text,Balance\n${row}\n`, { mapping });
    expect([entry?.amount.minor, entry?.reference]).toEqual([500n, expect.stringContaining('TIGER2345')]);
  });

  test('is never dropped, regardless of the rows around it', async () => {
    const noise = fc.constantFrom(
      ',,continued text',
      'Total,75.00,',
      ',75.00,合计',
      'Printed on request,,',
      'Date,Amount,Text',
      ',,',
    );
    const row = fc.tuple(fc.integer({ min: 1, max: 28 }), fc.integer({ min: 1, max: 10 ** 9 }));
    const mapping = fc.nat(4).map((footerRows) => csvMapping({ footerRows, referenceColumns: ['Text'] }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(row, fc.array(noise, { maxLength: 3 })), { minLength: 1 }),
        mapping,
        async (rows, used) => {
          const lines = rows.flatMap(([[day, cents], around]) => [
            `2026-11-${day},${(cents / 100).toFixed(2)},X`,
            ...around,
          ]);
          const entries = await readCsvText(`Date,Amount,Text\n${lines.join('\n')}\n`, { mapping: used });
          expect(entries.map(({ amount }) => amount.minor)).toEqual(rows.map(([[, cents]]) => BigInt(cents)));
        },
      ),
      { numRuns: count(200, 3_000) },
    );
  });
});

describe('an amount in a column that the mapping does not read', () => {
  test.each([
    ['signed', 'Date,Out,In,Text\n2026-11-18,-5,,A\n2026-11-19,,70.00,TIGER2345\n'],
    ['signed', 'Date,Out,In,Text\n2026-11-18,-5,0,A\n2026-11-19,0,70.00,TIGER2345\n'],
    ['separate_columns', 'Date,In,Left,Text,Out\n2026-11-18,5,,A,\n2026-11-19,,70.00,B,\n'],
  ] as const)('rejects the file instead of dropping the row: %s, %j', async (amountFormat, text) => {
    const columns = {
      amountColumn: 'Out',
      ...(amountFormat === 'separate_columns' && { creditColumn: 'In' }),
    };
    const mapping = csvMapping({ amountFormat, ...columns });
    expect(await csvRefusal(text, { mapping })).toBe(
      'invalid_statement: line 3: the amount "70.00" is in column #3, which the mapping does not read; if it is a balance, set balanceColumn',
    );
  });

  test('may be a balance brought forward, if the other rows have both', async () => {
    const text = 'Date,Amount,Left,Text\n2026-11-18,,70.00,Forward\n2026-11-18,5,75.00,A\n';
    expect(await csvRefusal(text)).toBe('1 entries');
    const alone = 'Date,Amount,Left,Text\n2026-11-18,,70.00,Forward\n2026-11-18,5,,A\n';
    expect(await csvRefusal(alone, { mapping: csvMapping({ balanceColumn: 'Left' }) })).toBe('1 entries');
  });

  test('is found under unknown headings if only one of two columns is negative', async () => {
    const text = (out: string) =>
      `Date;Texte;Sortie;Entrée;Numéro\n18/11/2026;VIR;;100,00;FR-001\n19/11/2026;TIGER2345;${out};;FR-002\n`;
    expect(await readGuessed(text('-20,00'), 'EUR')).toEqual([
      [2, '2026-11-18', '10000 EUR'],
      [3, '2026-11-19', '-2000 EUR'],
    ]);
    // Without a sign, the user has to choose.
    await expect(readGuessed(text('20,00'), 'EUR')).rejects.toThrow('is not an amount');
  });
});

describe('a row that is not a movement', () => {
  test.each([
    ['a total of both columns', 'Tổng cộng,,100,50'],
    ['a total without text', ',,100,50'],
    ['a total with a mark before it', '#合计,,100,50'],
    ['a closing balance', 'Saldo Akhir,:,"1,000.00",'],
    ['the header on the next page', 'Date,Text,In,Out'],
    ['a note', 'This is a computer generated statement, no signature required'],
  ])('is skipped: %s', async (_, row) => {
    const text = `Date,Text,In,Out\n2026-11-20,TIGER2345,100,\n${row}\n`;
    const mapping = csvMapping({
      amountFormat: 'separate_columns',
      creditColumn: 'In',
      debitColumn: 'Out',
      referenceColumns: ['Text'],
    });
    expect((await readCsvText(text, { mapping })).map(summarizeCsvEntry)).toEqual([
      [2, '2026-11-20', '10000 HKD', 'TIGER2345'],
    ]);
  });

  test.each([
    ['an amount without a date', ',70,TIGER2345', 'this row has an amount, but no date'],
    ['an amount with another kind of date', 'soon,70,Total Energies', '"soon" is not a date'],
    ['an impossible date', '2026-02-31,70,Total', '"2026-02-31" is not a date'],
    ['another table', 'Value date,Narrative,Debit', 'another table begins here'],
  ])('is not skipped: %s', async (_, row, reason) => {
    const text = `Date,Amount,Text\n2026-11-20,5,A\n${row}\n`;
    const mapping = csvMapping({ referenceColumns: ['Text'] });
    const refusal = await csvRefusal(text, { mapping });
    expect(refusal).toContain(`invalid_statement: line 3: ${reason}`);
  });

  test('is rejected if an unquoted comma may have shifted its amounts', async () => {
    const mapping = csvMapping({ referenceColumns: ['Text'] });
    const refusal = await csvRefusal('Date,Text,Amount,Balance\n2026-11-20,a,5,5.00,100.00\n', { mapping });
    expect(refusal).toContain('line 2: this row has 5 fields, but the header has 4');
  });

  test('may have unquoted commas in a text at its end', async () => {
    const mapping = csvMapping({ referenceColumns: ['Text'] });
    const [entry] = await readCsvText('Date,Amount,Text\n2026-11-20,70,TIGER2345, order 5\n', { mapping });
    expect(entry?.reference).toBe('TIGER2345 order 5');
  });

  test('with PEND instead of a date is reported as not booked', async () => {
    const mapping = csvMapping({ referenceColumns: ['Text'] });
    const text = "Date,Amount,Text\n'2026-11-20,5,A\n'PEND,70,TIGER2345\n";
    expect((await readCsvText(text, { mapping })).map(summarizeCsvEntry)).toEqual([
      [2, '2026-11-20', '500 HKD', 'A'],
      [3, '', '7000 HKD pending', 'TIGER2345'],
    ]);
  });
});

describe('a file that is cut', () => {
  const file = 'Date,Amount,Text,Balance\n2026-11-19,5.00,A,5.00\n2026-11-20,105.00,TIGER2345,110.00';

  test('anywhere inside its last row before the balance is rejected', async () => {
    const mapping = csvMapping({ referenceColumns: ['Text'] });
    const start = file.lastIndexOf('\n') + 2;
    for (let end = start; end <= file.lastIndexOf(','); end += 1) {
      expect(await csvRefusal(file.slice(0, end), { mapping })).toContain(
        'the file ends inside this row: it is truncated',
      );
    }
    expect(await csvRefusal(file, { mapping })).toBe('2 entries');
  });

  test.each(['105.0', '105.', '105', '10', '1', ''])(
    'inside its last amount, after "%s", is rejected',
    async (cell) => {
      const text = `Date,Text,Amount\n2026-11-19,A,5.00\n2026-11-20,TIGER2345,${cell}`;
      expect(await csvRefusal(text, { mapping: csvMapping() })).toContain(
        'line 3: the file may end inside this amount',
      );
    },
  );

  test('is distinguished from one whose last amount is complete', async () => {
    const rows = 'Date,Text,Amount\n2026-11-19,A,5.00\n2026-11-20,TIGER2345,';
    for (const end of ['105.00', '"105"', '105\n', '105\n\u001A', '105\r\n']) {
      expect(await csvRefusal(`${rows}${end}`, { mapping: csvMapping() })).toBe('2 entries');
    }
  });
});

describe('the direction and the currency', () => {
  test.each(['借贷', '收/支', 'D/C', 'Credit / Debit'])(
    'under %s are never ignored: an unknown word is asked about',
    async (heading) => {
      const text = `Date,Amount,${heading},Text\n2026-11-20,5.00,C,A\n2026-11-19,7.00,不计收支,B\n`;
      const { mapping, questions } = await guess(text);
      expect(mapping).toMatchObject({ amountFormat: 'direction_column', directionColumn: heading });
      expect(questions).toEqual([{ kind: 'direction', sample: '不计收支' }]);
      expect(await csvRefusal(text, { mapping })).toContain('line 3: "不计收支" is in neither');
      const entries = await readCsvText(text, { mapping: { ...mapping, ignoredValues: ['不计收支'] } });
      expect(entries.map(({ status }) => status)).toEqual(['booked', 'information']);
    },
  );

  test('in brackets of the headings make two columns', async () => {
    const text =
      'Date,Memo,Amount (credit),Amount (debit)\n20/11/2026,TIGER2345,128.50,\n19/11/2026,FEE,,2.00\n';
    expect(await readGuessed(text)).toEqual([
      [2, '2026-11-20', '12850 HKD', 'TIGER2345'],
      [3, '2026-11-19', '-200 HKD', 'FEE'],
    ]);
  });

  test('under an unknown heading is found by its codes', async () => {
    const text = 'Date,Amount,Umrechnung,Memo\n2026-11-20,5.00,USD,A\n2026-11-19,-7.00,HKD,B\n';
    expect(await readGuessed(text)).toEqual([
      [2, '2026-11-20', '500 USD', 'A'],
      [3, '2026-11-19', '-700 HKD', 'B'],
    ]);
  });

  test('with an unknown status are asked about, and known ones are not', async () => {
    const rows = ['5.00,Completed', '-6.00,Pending', '7.00,Gebucht', '8.00,失败'];
    const text = `Date,Amount,Status\n${rows.map((row) => `2026-11-20,${row}`).join('\n')}\n`;
    const { mapping, questions } = await guess(text);
    expect(questions).toEqual([{ kind: 'status', sample: 'Gebucht' }]);
    const bookedValues = [...mapping.bookedValues!, 'Gebucht'];
    const entries = await readCsvText(text, { mapping: { ...mapping, bookedValues } });
    expect(entries.map(({ status }) => status)).toEqual(['booked', 'pending', 'booked', 'pending']);
  });

  test('without any sign is asked about', async () => {
    const { questions } = await guess('Date,Amount,Memo\n2026-11-20,5.00,A\n');
    expect(questions).toEqual([{ kind: 'sign', sample: '5.00' }]);
  });
});

describe('dates and amounts that can be read in two ways', () => {
  const file = (...dates: string[]) =>
    `Date,Amount,Memo\n${dates.map((date) => `${date},-5.00,A`).join('\n')}\n`;

  test.each([
    ['02/10/2026', 'PHP', 'mdy', true],
    ['02/10/2026', 'HKD', 'dmy', true],
    ['10/10/2026', 'HKD', 'dmy', false],
    ['20/10/2026', 'PHP', 'dmy', false],
    ['10/20/2026', 'HKD', 'mdy', false],
  ])('%s in %s is read as %s, and asked about: %s', async (date, currency, order, isAsked) => {
    const { mapping, questions } = await guess(file(date), currency);
    expect([mapping.dateOrder, questions.map(({ kind }) => kind)]).toEqual([
      order,
      isAsked ? ['date_order'] : [],
    ]);
  });

  test.each([
    ['the order of the rows', file('11/30/2026', '10/02/2026'), 'mdy'],
    ['the period above the header', `Period,"01/10/2026 - 31/10/2026"\n${file('02/10/2026')}`, 'dmy'],
  ])('are decided by %s', async (_, text, order) => {
    const { mapping, questions } = await guess(text);
    expect([mapping.dateOrder, questions]).toEqual([order, []]);
  });

  test('are decided by the import day, because movements are not in the future', async () => {
    const { mapping, questions } = await guess(file('02/10/2026'), 'HKD', '2026-03-21');
    expect([mapping.dateOrder, questions]).toEqual(['mdy', []]);
  });

  test('are certain with the name of a month, regardless of the mapping', async () => {
    const text =
      'Date,Amount\n"Nov 4, 2026",5\n4 Nov 2026,5\n05 Agustus 2026,5\n4 พ.ย. 2569,5\n115/07/01,5\n';
    for (const dateOrder of ['dmy', 'mdy'] as const) {
      const entries = await readCsvText(text, { mapping: csvMapping({ dateOrder, hasBuddhistYears: true }) });
      expect(entries.map(({ bookedOn }) => bookedOn)).toEqual([
        '2026-11-04',
        '2026-11-04',
        '2026-08-05',
        '2026-11-04',
        '2026-07-01',
      ]);
    }
  });

  test('with three digits after every mark are asked about', async () => {
    const { mapping, questions } = await guess('Date,Amount\n20/11/2026,-29.000\n19/11/2026,-5.500\n', 'CHF');
    expect([mapping.decimalMark, questions]).toEqual(['.', [{ kind: 'decimal_mark', sample: '-29.000' }]]);
  });

  test('never include row numbers or references with digits', async () => {
    const numbered = 'No,Tarikh,Butiran,Baki\n1,20/11/2026,TIGER2345,5.00\n2,21/11/2026,FEE,4.00\n';
    expect((await guess(numbered, 'MYR')).mapping.amountColumn).not.toBe('No');
    expect(await csvRefusal('Date,Amount\n2026-11-20,FR-001\n', { mapping: csvMapping() })).toContain(
      '"FR-001" is not an amount',
    );
  });
});

test('the texts of columns that are not mapped are kept for the search of the payment reference', async () => {
  const text = 'Date,Amount,Text,Teller,Code,Balance\n2026-11-20,5.00,FPS,TIGER2345 CHAN,AB,"1,000.00 CR"\n';
  const [entry] = await readCsvText(text, { mapping: csvMapping({ referenceColumns: ['Text'] }) });
  expect([entry?.reference, entry?.otherTexts]).toEqual(['FPS', ['TIGER2345 CHAN']]);
});

test.each([
  ['caret', 'Date^Amount^Memo\n2026-11-20^-5.00^A\n'],
  ['colon', 'Date:Amount:Memo\n2026-11-20:-5.00:A\n'],
  ['UTF-16 without a mark', Buffer.from('Date\tAmount\tMemo\n2026-11-20\t-5.00\tA\n', 'utf16le')],
  ['a tab behind a quoted field', 'Date,Amount,Memo\n2026-11-20,"-5.00"\t,A\n'],
])('a file with %s is read', async (_, content) => {
  const { mapping } = await guessCsvMapping(() => toChunks(content), { currency: 'HKD' });
  const entries = await readCsvText(content, { mapping });
  expect(entries.map(summarizeCsvEntry)).toEqual([[2, '2026-11-20', '-500 HKD', 'A']]);
});
