import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { CsvReadOptions } from '../../src/statement/csv-entry.ts';
import { detectFormat, readStatement } from '../../src/statement/read-statement.ts';
import type { StatementFileKind } from '../../src/statement/statement-entry.ts';
import { count } from '../setup/counts.ts';
import { measureHeapBytes } from '../setup/fuzz.ts';
import { camtXml, csvMapping, details, mt940Text, ntry, payer, toChunks } from '../setup/statement-files.ts';
import {
  catchReadErrorText,
  invalidStatementText,
  readAll,
  readEntries,
  whatMoved,
  whenBooked,
} from './read.ts';

/** The line, booking time, amount, flags, text, counterparty, its account, and bank's reference. */
const files: [string, (string | number)[][]][] = [
  [
    'camt/camt054.v2.batch-txamt.xml',
    [
      [7, '2026-11-20T10:15:30', '10000 HKD', '', 'TIGER2345 E1', '', '', 'BATCH1/1'],
      [8, '2026-11-20T10:15:30', '20000 HKD', '', 'HONEY6789 E2', '', '', 'BATCH1/2'],
    ],
  ],
  [
    'camt/camt053.v4.batch.xml',
    [
      [7, '2026-11-20', '10000 HKD', '', 'TIGER2345 E1', 'A', '', 'T1'],
      [8, '2026-11-20', '20000 HKD', '', 'HONEY6789', 'B', '', 'T2'],
    ],
  ],
  ['camt/camt054.v8.charges.xml', [[6, '2026-11-20', '12000 HKD', '', 'INV1 TIGER2345', 'Ult', '', 'CH']]],
  [
    'camt/camt053.v8.exchange-reversal.xml',
    [
      [
        6,
        '2026-11-20T02:15:30.000Z',
        '78000 HKD',
        '',
        'TIGER2345',
        'Ada Ltd',
        'GB33BUKB20201555555555',
        'FX1',
      ],
      [8, '', '5000 HKD', 'pending', '', '', '', ''],
      [9, '2026-11-20', '-78000 HKD', 'reversal, returned AC04', '', '', '', 'FX1'],
    ],
  ],
  [
    'camt/camt053.v2.split-text.xml',
    [
      [
        7,
        '2026-11-20',
        '12850 HKD',
        '',
        'payment for order TIG ER2345 thanks',
        'LAU KA YAN',
        '012345678901',
        'FRN20261120PAYC0102',
      ],
    ],
  ],
  [
    'camt/camt053.v3.bare-entries.xml',
    [
      [6, '2026-11-20', '0 HKD', '', '', '', '', ''],
      [7, '2026-11-20', '-1000 HKD', '', '', 'Rent', '', ''],
      [8, '2026-11-20', '50000 HKD', '7 payments', '', '', '', ''],
      [9, '2026-11-20', '1000 HKD', 'reversal', '', 'Rent', '', ''],
    ],
  ],
  ['camt/camt053.v6.no-namespace-bom.xml', [[6, '2026-11-20', '12850 HKD', '', '', '', '', '']]],
  [
    'camt/camt054.v13.prefix-utf16.xml',
    [[6, '2026-11-20', '12850 HKD', '', 'ＴＩＧＥＲ２３４５', '陳大文', '+852-91234567', '']],
  ],
  [
    'mt940/de-subfields.sta',
    [
      [
        5,
        '2026-11-20',
        '12850 EUR',
        '',
        'Rechnung TIG ER2345 danke E2E-1',
        'LAU KA YAN SENIOR',
        'DE89370400440532013000',
        'POS 1',
      ],
      [7, '2026-11-20', '-500 EUR', '', 'Kontofuehrung', '', '', 'POS 2'],
    ],
  ],
  [
    'mt940/sg-plain-envelope.sta',
    [
      [
        6,
        '2026-11-20',
        '1250 SGD',
        '',
        'INCOMING PAYNOW Ref 1234567 From: TAN AH KOW OTHR - TIGER2345',
        '',
        '',
        '0020OTI1234567',
      ],
      [11, '2026-12-31', '100 SGD', '', 'next', '', '', 'A1'],
      [13, '2027-01-02', '100 SGD', '', 'year end', '', '', 'A2'],
    ],
  ],
  [
    'mt940/hk-two-pages.sta',
    [
      [5, '2026-11-20', '12850 HKD', '', 'FPS CREDIT /EREF/TIGER2345', '', '', 'N12345'],
      [8, '2026-11-20', '-500 HKD', '', 'CHARGES', '', '', ''],
      [15, '2026-11-20', '500 HKD', 'reversal', 'REVERSAL CHARGES', '', '', 'R1'],
      [17, '2026-11-20', '-12850 HKD', 'reversal', 'RECALLED TIGER2345', '', '', 'N12345'],
    ],
  ],
  [
    'mt940/nl-codes-latin1.sta',
    [[5, '2026-11-20', '1000 EUR', '', 'café TIGER2345 E2E1', 'Müller', 'NL32INGB0000012345', '26324000001']],
  ],
  [
    'mt940/de-wrapped-subfields.sta',
    [
      [
        5,
        '2026-11-20',
        '1000 EUR',
        '',
        'Kunde 4711 Bestellung TIGE R2345',
        'ERIKA MUSTERMANN',
        '1234567890',
        '',
      ],
      [
        7,
        '2026-11-20',
        '1100 EUR',
        '',
        'Kunde 4711 Bestellung TIGE R2345',
        'ERIKA MUSTERMANN',
        '1234567890',
        '',
      ],
    ],
  ],
  [
    'mt940/nl-two-customs.sta',
    [
      [8, '2011-05-24', '900 EUR', '', 'TIGER2345', 'J. DE VRIES', 'NL53RABO0309000000', ''],
      [
        11,
        '2011-05-24',
        '800 EUR',
        '',
        'SEPA OVERBOEKING IBAN: NL91ABNA0417164300 BIC: ABNANL2A NAAM: J JANSEN OMSCHRIJVING: HONEY6789',
        'J JANSEN',
        'NL91ABNA0417164300',
        '',
      ],
    ],
  ],
  [
    'mt940/hk-codes-below.sta',
    [[5, '2026-11-20', '112850 HKD', '', 'INWARD FPS TIGER2345 INV', 'LAU KA YAN', '', 'SC123']],
  ],
];

/** Enough entries to show that the reader does not hold the whole file in memory. */
const total = count(10_000, 100_000);

/** Less than the size of the file. */
const growthMax = count(4_000_000, 10_000_000);

const [head, tail] = camtXml('<Ntry/>').split('<Ntry/>') as [string, string];

/** Streams a message without holding it in memory, and counts the bytes that were read. */
function stream(lines: Iterable<string>) {
  const progress = { bytes: 0 };
  async function* source() {
    let text = head;
    for (const line of lines) {
      text += line;
      if (text.length < 32_768) continue;
      progress.bytes += text.length;
      yield Buffer.from(text);
      text = '';
    }
    yield Buffer.from(text + tail);
  }
  return { source: source(), progress };
}

function* many(count: number, line: (index: number) => string) {
  for (let index = 0; index < count; index += 1) yield line(index);
}

const within = count(5_000, 20_000);

describe('the format of a statement file', () => {
  test.each([
    ['camt', camtXml(ntry())],
    ['mt940', mt940Text(':61:261120C1,NTRF')],
    ['csv', 'Date,Amount\n2026-11-20,1'],
  ])('%s is detected by the first bytes', (format, content) => {
    expect(detectFormat(Buffer.from(content)).format).toBe(format);
    expect(detectFormat(Buffer.from(`\uFEFF${content}`)).format).toBe(format);
    expect(detectFormat(Buffer.from(`\uFEFF${content}`, 'utf16le')).format).toBe(format);
  });

  test.each([
    [
      'plain text',
      Buffer.from('Dear customer,'),
      /the format of this file is not recognized; supported formats: Excel workbook \(.xlsx\); ZIP and GZIP files with these; OFX and QFX; HTML table; ISO 20022 camt.052, camt.053 and camt.054 \(XML\); SWIFT MT940 and MT942; QIF; BAI2; CSV with your bank’s columns$/,
    ],
    [
      'a CSV file without a mapping',
      Buffer.from('Date,Amount\n2026-11-20,1'),
      /this file requires a column mapping$/,
    ],
  ])('%s is rejected with the solution', async (_, bytes, reason) => {
    const refusal = await catchReadErrorText(bytes);
    expect(refusal).toMatch(/^invalid_statement: line 1: /);
    expect(refusal).toMatch(reason);
  });

  test('each entry has the kind of its file', async () => {
    const readKind = async (content: string, csv?: CsvReadOptions) => {
      for await (const { kind } of readStatement(toChunks(content), { csv })) return kind;
    };
    expect(await readKind(camtXml(ntry()))).toBe('camt.053');
    expect(await readKind(camtXml(ntry(), { message: '054' }))).toBe('camt.054');
    expect(await readKind(mt940Text(':61:261120C1,NTRF'))).toBe('mt940');
    const mapping = csvMapping({ amountColumn: 'Amount' });
    expect(await readKind('Date,Amount\n2026-11-20,1\n', { mapping, currency: 'HKD' })).toBe('csv');
  });

  test('the kind of a file without entries is reported', async () => {
    const listKinds = async (content: string) => {
      const kinds: StatementFileKind[] = [];
      const entries = readStatement(toChunks(content), { onKind: (kind) => kinds.push(kind) });
      expect(await Array.fromAsync(entries)).toEqual([]);
      return kinds;
    };
    expect(await listKinds(camtXml(''))).toEqual(['camt.053']);
    expect(await listKinds(camtXml('', { message: '054' }))).toEqual(['camt.054']);
    expect(await listKinds(mt940Text(''))).toEqual(['mt940']);
  });

  test('an empty file is rejected', async () => {
    expect(await catchReadErrorText('')).toBe(invalidStatementText(1, 'the file is empty'));
  });
});

describe('the source of a statement', () => {
  const watched = (content: string) => {
    const state = { closed: false };
    async function* source() {
      try {
        yield* toChunks(content, 100);
      } finally {
        state.closed = true;
      }
    }
    return { state, source: source() };
  };

  test('is closed when the reader stops early', async () => {
    const { state, source } = watched(camtXml(ntry() + ntry({ reference: '' }).repeat(2000)));
    for await (const entry of readStatement(source)) {
      expect(entry.bankReference).toBe('R1');
      break;
    }
    expect(state.closed).toBe(true);
  });

  test('is closed when the file is rejected', async () => {
    const { state, source } = watched('x'.repeat(10_000));
    await expect(readAll(source)).rejects.toMatchObject({ code: 'invalid_statement' });
    expect(state.closed).toBe(true);
  });

  test('that fails throws its own error, not that of an invalid statement', async () => {
    async function* source() {
      yield Buffer.from(camtXml(ntry()).slice(0, 500));
      throw new Error('connection lost');
    }
    await expect(readAll(source())).rejects.toThrow(/^connection lost$/);
  });
});

describe('dialects', () => {
  test.each(files)('%s is read right', async (name, expected) => {
    const content = await readFile(new URL(`../fixtures/statements/${name}`, import.meta.url));
    const read = (await readEntries(content)).map((entry) => {
      const { line, status, isReversal, isReturned, returnReason, transactionCount } = entry;
      const marks = [
        status === 'booked' ? '' : status,
        isReversal ? 'reversal' : '',
        isReturned ? `returned ${returnReason}` : '',
        transactionCount > 1 ? `${transactionCount} payments` : '',
      ];
      const { reference, counterpartyName = '', counterpartyAccount = '', bankReference = '' } = entry;
      return [
        line,
        whenBooked(entry),
        whatMoved(entry),
        marks.filter(Boolean).join(', '),
        ...[reference, counterpartyName, counterpartyAccount, bankReference],
      ];
    });
    expect(read).toEqual(expected);
  });
});

describe('large files', () => {
  test('very many entries are read in bounded memory, showing progress', { timeout: 120_000 }, async () => {
    const entry = ntry({
      reference: '<AcctSvcrRef>R#</AcctSvcrRef>',
      details: details(`${payer('Payer #', 'HK#')}<RmtInf><Ustrd>order # TIGER2345</Ustrd></RmtInf>`),
    });
    const { source, progress } = stream(many(total, (index) => entry.replaceAll('#', String(index))));
    const before = measureHeapBytes();
    let read = 0;
    let heapGrowth = 0;
    let bytesAtHalf = 0;
    for await (const { bankReference, reference } of readStatement(source)) {
      if (bankReference !== `R${read}` || reference !== `order ${read} TIGER2345`) break;
      read += 1;
      if (read === total / 2) bytesAtHalf = progress.bytes;
      if (read % (total / 5) !== 0) continue;
      heapGrowth = Math.max(heapGrowth, measureHeapBytes() - before);
    }
    expect(read).toBe(total);
    expect(progress.bytes).toBeGreaterThan(growthMax);
    expect(bytesAtHalf / progress.bytes).toBeCloseTo(0.5, 1);
    expect(heapGrowth).toBeLessThan(growthMax);
  });

  test('very many movements of an MT940 file are read in bounded memory', { timeout: 120_000 }, async () => {
    let bytes = 0;
    async function* source() {
      yield Buffer.from(':20:S1\n:25:012-345678\n:60F:C261119HKD0,\n');
      for (let index = 0; index < total; index += 100) {
        const movements = Array.from(
          { length: 100 },
          (_, offset) => `:61:261120C1,NTRFNONREF//B${index + offset}\n:86:TIGER2345${' order'.repeat(70)}\n`,
        );
        const chunk = Buffer.from(movements.join(''));
        bytes += chunk.length;
        yield chunk;
      }
      yield Buffer.from(':62F:C261120HKD100000,\n-\n');
    }
    const before = measureHeapBytes();
    let read = 0;
    let heapGrowth = 0;
    for await (const { bankReference, line } of readStatement(source())) {
      if (bankReference !== `B${read}` || line !== 4 + 2 * read) break;
      read += 1;
      if (read % (total / 5) !== 0) continue;
      heapGrowth = Math.max(heapGrowth, measureHeapBytes() - before);
    }
    expect(read).toBe(total);
    expect(bytes).toBeGreaterThan(growthMax);
    expect(heapGrowth).toBeLessThan(growthMax);
  });

  test(`one entry of ${within} transactions becomes as many entries`, { timeout: 60_000 }, async () => {
    const transaction = `<TxDtls><Amt Ccy="HKD">0.01</Amt>${payer('Payer #', 'HK#')}</TxDtls>`;
    function* lines() {
      yield `<Ntry><Amt Ccy="HKD">${within / 100}.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><AcctSvcrRef>R</AcctSvcrRef><NtryDtls>`;
      yield* many(within, (index) => transaction.replaceAll('#', String(index)));
      yield '</NtryDtls></Ntry>';
    }
    const entries = await readAll(stream(lines()).source);
    expect(entries).toHaveLength(within);
    expect(new Set(entries.map(({ bankReference }) => bankReference)).size).toBe(within);
    expect(entries.at(-1)).toMatchObject({
      amount: { minor: 1n },
      bankReference: `R/${within}`,
      counterpartyName: `Payer ${within - 1}`,
    });
  });
});
