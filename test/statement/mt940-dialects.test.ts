import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { StatementSummary } from '../../src/statement/control-totals.ts';
import { readStatement } from '../../src/statement/read-statement.ts';
import type { StatementFileKind } from '../../src/statement/statement-entry.ts';
import { mt940Text, toChunks } from '../setup/statement-files.ts';
import {
  catchReadErrorText,
  invalidStatementText,
  readAll,
  readEntries,
  readOnlyEntry,
  whatMoved,
} from './read.ts';

const line = ':61:261120C1,NTRFNONREF';
const readEntryAtLine = (text: string) => readOnlyEntry(mt940Text(text));

/** Returns the texts that only matching reads. */
async function readOtherText(info: string): Promise<string | undefined> {
  const [entry] = await Array.fromAsync(readStatement(toChunks(mt940Text(`${line}\n:86:${info}`))));
  return entry!.otherTexts?.join(' ');
}

describe('statement lines of single banks', () => {
  test.each([
    ['ING: a type padded with a blank', ':61:100722C25,03NOV NONREF', '2503 HKD', ''],
    ['ING: a reference behind it', ':61:100722D1,11NGT TMG TANGO', '-111 HKD', 'TMG TANGO'],
    ['Triodos', ':61:121123D10,00NET NONREF', '-1000 HKD', ''],
    ['Commerzbank: a blank before the type', ':61:1611021102C12,35 NRTIPAYREF1', '1235 HKD', 'PAYREF1'],
    [
      'the old Rabobank: a decimal point',
      ':61:030109C000000000300.00NMSC170059286',
      '30000 HKD',
      '170059286',
    ],
    ['16 digits', ':61:261120C0000000000123,45NTRFPAYREF1', '12345 HKD', 'PAYREF1'],
    ['Sberbank: a type of one letter', ':61:1710111011DD2402,00S   X', '-240200 HKD', ''],
    ['Zenith: no type', ':61:2011301130CD220000,00//19239782213', '22000000 HKD', ''],
    ['Penta: no type before the placeholder', ':61:2009020902D20,00NONREF', '-2000 HKD', ''],
    ['no zero before the comma', ':61:261120D,50NTRFPAYREF1', '-50 HKD', 'PAYREF1'],
  ])('are read: %s', async (_, text, moved, reference) => {
    const entry = await readEntryAtLine(text);
    expect([whatMoved(entry), entry.reference]).toEqual([moved, reference]);
  });

  test('a padded type of a returned payment is recognized', async () => {
    expect(await readEntryAtLine(':61:1611021102C12,35 NRTINONREF')).toMatchObject({ isReturned: true });
  });
});

describe('the end of a statement', () => {
  const withoutClosing = (end: string) => mt940Text(line).replace(/:62F:.*\n-\n/, end);

  test.each([':64:C261120HKD1,\n', ':65F:Dnull\n', '-\n', '-}\n'])('may be %j', async (end) => {
    expect(await readEntries(withoutClosing(end))).toHaveLength(1);
  });

  test('is missing if only other fields follow', async () => {
    expect(await catchReadErrorText(withoutClosing(':86:text\n'))).toBe(
      invalidStatementText(
        6,
        'the statement that begins on line 1 has no closing balance; the file may be truncated',
      ),
    );
  });

  test('may omit the currency and have a decimal point', async () => {
    const content = mt940Text(line).replace(':62F:C261120HKD100,', ':62M:C261120000000100.00');
    expect(await readEntries(content)).toHaveLength(1);
  });

  test('is not a dash within the text of a movement', async () => {
    const content = mt940Text(`${line}\n:86:order\n-\nTIGER2345`);
    expect(await readOnlyEntry(content)).toMatchObject({ reference: 'order - TIGER2345' });
  });
});

describe('a file with @@ for each line break', () => {
  const content = mt940Text(`${line}\n:86:TIGER2345 mail me@@home`).replace(/\n$/, '');

  test.each(['@@', '@@\n', '\r\n@@'])('is read, separated by %j', async (separator) => {
    const [entry] = await readEntries(
      `@@${content.replace('@@', '@').replaceAll('\n', separator)}${separator}`,
    );
    expect([whatMoved(entry!), entry!.reference]).toEqual(['100 HKD', 'TIGER2345 mail me@home']);
  });

  test('may begin without @@', async () => {
    expect(await readEntries(content.replace('@@', '@').replaceAll('\n', '@@'))).toHaveLength(1);
  });

  test('is distinguished from a file with @@ in a text', async () => {
    const [entry] = await readEntries(content);
    expect(entry!.reference).toBe('TIGER2345 mail me@@home');
  });

  test('is read whole, at any length of its only line', async () => {
    const file = readFileSync(new URL('../fixtures/statements/mt940/de-at-signs.sta', import.meta.url));
    const entries = await readAll(toChunks(Buffer.concat(Array(400).fill(file)), 7));
    expect(entries).toHaveLength(1_200);
    expect(entries[0]).toMatchObject({
      reference: 'TIGER2345 Rechnung',
      counterpartyName: 'Muster Handel GmbH',
      counterpartyAccount: 'DE02120300000000202051',
    });
    expect(entries[1]!.reference).toBe('Kontoführung');
  });
});

describe('the text of single banks', () => {
  test('HSBC writes the text of the payer below the ordered amount', async () => {
    const info = '/OCMT/USD2853,12/\nPAYMENT OF INVOICES TIGER2345\n/OGB/AXBANKING /VA/123456\nMORE';
    expect(await readEntryAtLine(`${line}\n:86:${info}`)).toMatchObject({
      reference: 'PAYMENT OF INVOICES TIGER2345 MORE',
    });
    expect(await readOtherText(info)).toContain('USD2853,12 AXBANKING 123456');
  });

  test.each(['OCMT/USD1,', 'CHGS/HKD1,', 'EXCH/7,8', 'ISDT/20261120', 'ACCW/12', 'SVCL/X', 'TRCD/00100'])(
    'text after /%s is read',
    async (code) => {
      const entry = await readEntryAtLine(`${line}\n:86:/${code}/\nTIGER2345`);
      expect(entry.reference).toBe('TIGER2345');
    },
  );

  test.each(['ID', 'PREF', 'IREF', 'CREF', 'MARF', 'CSID', 'ADDR', 'BENM', 'ORDP'])(
    'the value of /%s/ is among the other text',
    async (code) => {
      expect(await readOtherText(`/REMI/rent/${code}/TIGER2345`)).toContain('TIGER2345');
    },
  );

  test.each([
    'rent KREF+TIGER2345',
    'rent MREF+TIGER2345',
    ...['10', '30', '31', '32', '34'].map((tag) => `166?20rent?${tag}TIGER2345`),
  ])('the reference in %s is among the other text', async (info) => {
    expect(await readOtherText(info)).toContain('TIGER2345');
  });

  test('a mark may be divided by the end of a line', async () => {
    const expected = { reference: 'first TIGER2345', additionalInfo: 'GUTSCHRIFT' };
    for (const cut of ['?20first?\n21TIGER2345', '?20first?2\n1TIGER2345'])
      expect(await readEntryAtLine(`${line}\n:86:166?00GUTSCHRIFT${cut}`)).toMatchObject(expected);
  });

  test('the first line may be shorter by the length of its tag', async () => {
    const start = '166?00GUTSCHRIFT?20SVWZ+payment?21'.padEnd(56, 'x');
    const info = [`${start}TIGER`, `2345 ${'y'.repeat(60)}`, 'end'].join('\n');
    const { reference } = await readEntryAtLine(`${line}\n:86:${info}`);
    expect(reference).toContain('TIGER2345');
  });

  test('subfields may have no code before them', async () => {
    expect(
      await readEntryAtLine(`${line}\n:86:>20TIGER2345>31491050195310000\n0477>32BOOKING GROUP`),
    ).toMatchObject({
      reference: 'TIGER2345',
      counterpartyAccount: '4910501953100000477',
      counterpartyName: 'BOOKING GROUP',
    });
    expect(await readEntryAtLine(`${line}\n:86:>20 boxes TIGER2345`)).toMatchObject({
      reference: '>20 boxes TIGER2345',
    });
  });

  test('field NS has the text of a movement, line by line', async () => {
    const ns = ':NS:01for order 7\n02TIGER2345\n15CHAN TAI MAN\n17GUTSCHRIFT\n3310918001\n340000004279070017';
    const expected = {
      reference: 'for order 7 TIGER2345',
      additionalInfo: 'GUTSCHRIFT',
      counterpartyName: 'CHAN TAI MAN',
      counterpartyAccount: '0000004279070017',
    };
    expect(await readEntryAtLine(`${line}\n${ns}`)).toMatchObject(expected);
    expect(await readEntryAtLine(`${line}\n${ns}\n:86:more`)).toMatchObject({
      ...expected,
      reference: 'more for order 7 TIGER2345',
    });
  });
});

describe('MT942', () => {
  const report = (movements: string, end = ':90D:1HKD2,\n:90C:1HKD1,\n-\n') =>
    [':20:R1', ':25:012-345678', ':28C:1/1', ':34F:HKD0,', ':13D:2611201200+0800', movements, end].join('\n');
  const movements = ':61:261120C1,NTRFNONREF//B1\n:86:TIGER2345\n:61:261120ED2,NTRFNONREF//B2';

  async function readReport(content: string) {
    const kinds: StatementFileKind[] = [];
    const summaries: StatementSummary[] = [];
    const onStatement = (summary: StatementSummary) => summaries.push(summary);
    const onKind = (kind: StatementFileKind) => kinds.push(kind);
    const entries = await Array.fromAsync(readStatement(toChunks(content), { onKind, onStatement }));
    return { kinds, summaries, entries };
  }

  test('is an interim report, whose entries are provisional', async () => {
    const { kinds, summaries, entries } = await readReport(report(movements));
    expect(kinds).toEqual(['mt942']);
    expect(entries).toMatchObject([
      { kind: 'mt942', status: 'provisional', reference: 'TIGER2345', accountId: '012-345678' },
      { kind: 'mt942', status: 'pending', bankReference: 'B2' },
    ]);
    expect(summaries).toMatchObject([
      {
        kind: 'mt942',
        controlTotals: { creditCount: 1, creditSum: 100n, debitCount: 1, debitSum: 200n, currency: 'HKD' },
        totals: { creditCount: 1, creditSum: 100n, debitCount: 1, debitSum: 200n },
      },
    ]);
  });

  test('may be in one file with a statement', async () => {
    const { kinds, entries } = await readReport(report(movements) + mt940Text(line));
    expect(kinds).toEqual(['mt942', 'mt940']);
    expect(entries.map(({ status }) => status)).toEqual(['provisional', 'pending', 'booked']);
  });

  test.each([
    ['two floor limits', report(movements).replace(':34F:HKD0,', ':34F:HKDD5,\n:34F:HKDC5,')],
    ['a floor limit with a blank', report(movements).replace(':34F:HKD0,', ':34F:HKD 999999,99')],
    ['one sum', report(movements, ':90D:1HKD2,')],
    ['no sums but an end mark', report(movements, '-')],
    ['sums without a number', report(movements, ':90D:HKD,02\n:90C:1HKD')],
  ])('may have %s', async (_, content) => {
    expect((await readReport(content)).entries).toHaveLength(2);
  });

  test('without its end is truncated', async () => {
    expect(await catchReadErrorText(report(movements, ''))).toMatch(/the file may be truncated$/);
  });
});
