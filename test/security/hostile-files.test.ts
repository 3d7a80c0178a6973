import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { encode, tag, withCrcTag } from 'promptparse';
import { expect, test } from 'vitest';
import { DomainError } from '../../src/kit/errors.ts';
import type { MethodCode } from '../../src/method/catalogue.ts';
import { createDestination } from '../../src/method/destination.ts';
import { getScheme } from '../../src/method/schemes.ts';
import { readCamt } from '../../src/statement/camt.ts';
import { readCsv } from '../../src/statement/csv.ts';
import { guessCsvMapping } from '../../src/statement/csv-guess.ts';
import type { CsvMapping } from '../../src/statement/csv-mapping.ts';
import { readMt940 } from '../../src/statement/mt940.ts';
import { readStatement } from '../../src/statement/read-statement.ts';
import { fuzz, mutateBytes } from '../setup/fuzz.ts';
import { csvMapping, toChunks } from '../setup/statement-files.ts';

/** Files and codes that merchants send: read, or refused with a reason. */

const folder = fileURLToPath(new URL('../fixtures/statements', import.meta.url));
const samplesOf = (format: string) =>
  readdirSync(join(folder, format))
    .filter((name) => /\.(?:xml|sta|txt|csv)$/.test(name))
    .map((name) => readFileSync(join(folder, format, name)));

const names = [...'abcdefghij'];
const entities = names.slice(1).map((name, i) => `<!ENTITY ${name} "${`&${names[i]};`.repeat(10)}">`);
/** Each entity is ten of the one before. */
const bomb = `<!DOCTYPE a [<!ENTITY a "xxxxxxxxxx">${entities.join('')}]>`;
const hostile = [
  bomb,
  '<!DOCTYPE a SYSTEM "http://127.0.0.1:1/a.dtd">',
  '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>&x;',
  '&j;',
  '&#x110000;',
  '&#0;',
  '<![CDATA[',
  ']]>',
  '<!--',
  '<?xml version="1.1" encoding="UTF-7"?>',
  '<a '.repeat(500),
  '<a>'.repeat(2_000),
  'x'.repeat(100_000),
  '\n'.repeat(20_000),
  '"',
  '""'.repeat(5_000),
  ','.repeat(20_000),
  ';\t,'.repeat(2_000),
  '\u0000',
  '\uFEFF',
  '\u202E',
  ':61:',
  '\r\n:86:',
  '\r\n-}\r\n{1:F01}{4:\r\n:20:X',
  '?00?20?21'.repeat(500),
  '/EREF/'.repeat(2_000),
  `${'9'.repeat(400)},${'9'.repeat(400)}`,
  '-',
  '99999999999999999999-99-99',
  '=HYPERLINK("http://127.0.0.1")',
  ' '.repeat(50_000),
].map((text) => Buffer.from(text));
const encodings = [
  Buffer.from([0xff, 0xfe]),
  Buffer.from([0xfe, 0xff, 0]),
  Buffer.from([0xef, 0xbb, 0xbf]),
  Buffer.from([0xc3, 0x28]),
  Buffer.from([0x81, 0x30, 0x81]),
  Buffer.from([0xed, 0xa0, 0x80]),
];
const payloads = [...hostile, ...encodings];

/** Reads to the end. What is refused is refused as a file, by its line. */
async function readOrRefuse(read: () => AsyncIterable<unknown>): Promise<void> {
  try {
    for await (const entry of read()) expect(entry).toBeTruthy();
  } catch (error) {
    expectRefusal(error, ['invalid_statement', 'invalid_request', 'currency_unsupported']);
  }
}

/** Refused for what was sent, in few words. */
function expectRefusal(error: unknown, codes: string[]): void {
  if (!(error instanceof DomainError)) throw error;
  expect(codes).toContain(error.code);
  expect(error.message.length).toBeLessThan(1_000);
}

test.each([
  ['camt', readCamt],
  ['mt940', readMt940],
] as const)(
  'a statement file of %s',
  async (format, read) => {
    await fuzz(mutateBytes(samplesOf(format), payloads), (bytes) =>
      readOrRefuse(() => read(toChunks(bytes))),
    );
  },
  3_600_000,
);

test('a statement file of CSV, by a mapping that is guessed from it or given', async () => {
  const samples = samplesOf('csv');
  const givens: Partial<CsvMapping>[] = [
    {},
    { encoding: 'gb18030', delimiter: ';', decimalMark: ',', dateOrder: 'dmy' },
    {
      delimiter: '\t',
      hasHeader: false,
      dateColumn: '#1',
      amountColumn: '#2',
      skipLines: 1,
      hasBuddhistYears: true,
    },
  ];
  const cases = fc.tuple(
    mutateBytes(samples, payloads),
    fc.nat(givens.length),
    fc.constantFrom('HKD', 'IDR'),
  );
  await fuzz(cases, async ([bytes, choice, currency]) => {
    const given = givens[choice];
    await readOrRefuse(async function* () {
      const mapping = given ? csvMapping(given) : await guessCsvMapping(bytes, { currency });
      yield* readCsv(toChunks(bytes), { mapping, currency });
    });
  });
}, 3_600_000);

test('a file of any bytes, by what it looks like', async () => {
  const heads = ['', '<?xml version="1.0"?><Document>', ':20:X\r\n:25:1\r\n', 'Date,Amount,Text\n'];
  const cases = fc.tuple(
    fc.constantFrom(...heads),
    fc.uint8Array({ maxLength: 400 }),
    fc.constantFrom(...payloads),
  );
  await fuzz(cases, ([head, bytes, payload]) =>
    readOrRefuse(() =>
      readStatement(toChunks(Buffer.concat([Buffer.from(head), bytes, payload])), {
        csv: { mapping: csvMapping(), currency: 'HKD' },
      }),
    ),
  );
}, 3_600_000);

const baseCodes: [MethodCode, string, string][] = [
  [
    'duit-now',
    'MYR',
    emv({
      '26': [
        ['00', 'A0000006150001'],
        ['01', '501664'],
        ['02', '123456789'],
      ],
      '53': '458',
      '58': 'MY',
    }),
  ],
  [
    'instapay',
    'PHP',
    emv({
      '28': [
        ['00', 'ph.ppmi.p2m'],
        ['01', 'PAPHPHM1XXX'],
        ['03', '102140529'],
        ['05', '033'],
      ],
      '53': '608',
      '58': 'PH',
    }),
  ],
  [
    'gojek-id',
    'IDR',
    emv({
      '26': [
        ['00', 'COM.EXAMPLE.WWW'],
        ['01', '936000000000000000'],
      ],
      '51': [
        ['00', 'ID.CO.QRIS.WWW'],
        ['02', 'ID1020210000001'],
      ],
      '53': '360',
      '58': 'ID',
    }),
  ],
];

function emv(own: Record<string, string | [string, string][]>): string {
  const fields: typeof own = {
    '00': '01',
    '01': '11',
    '52': '5999',
    '59': 'KEDAI KOPI',
    '60': 'BANGI',
    ...own,
  };
  const tags = Object.entries(fields)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, value]) =>
      tag(id, typeof value === 'string' ? value : encode(value.map(([sub, text]) => tag(sub, text)))),
    );
  return withCrcTag(encode(tags), '63');
}

test.each(baseCodes)(
  'a QR base code of %s: taken and filled, or refused',
  async (method, currency, code) => {
    const texts = [
      '6304',
      '9999',
      '00',
      '0202',
      '🀄',
      '最佳',
      '\u202e',
      '\n',
      '26'.repeat(300),
      '<svg onload=x>',
      code,
    ];
    // Most with a checksum that fits, else nothing else is looked at.
    const cases = fc.tuple(
      mutateBytes(
        [Buffer.from(code)],
        texts.map((text) => Buffer.from(text)),
      ),
      fc.boolean(),
      fc.boolean(),
    );
    await fuzz(cases, ([bytes, fits, demo]) => {
      const text = bytes.toString('utf8');
      const staticQrCode = fits ? withCrcTag(text.slice(0, -8), '63') : text;
      const scheme = getScheme(method);
      try {
        const details = scheme.parseDetails({ staticQrCode });
        const amount = { minor: 1_234_500n, currency };
        const made = createDestination({
          method,
          details,
          holder: 'H',
          amount,
          paymentReference: 'BREAD2345',
          demo,
        });
        expect(made.qrCode).toMatch(/6304[0-9A-F]{4}$/);
      } catch (error) {
        expectRefusal(error, ['receiving_account_invalid']);
      }
    });
  },
  3_600_000,
);
