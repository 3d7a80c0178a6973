import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { entriesOf, whatMoved, whenBooked } from './read.ts';

/** Line, when, what it moves, what is said of it, text, who, from which account, under which reference of the bank. */
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

test.each(files)('%s is read right', async (name, expected) => {
  const content = await readFile(new URL(`../fixtures/statements/${name}`, import.meta.url));
  const read = (await entriesOf(content)).map((entry) => {
    const { line, status, reversal, returned, returnReason, transactionCount } = entry;
    const marks = [
      status === 'booked' ? '' : status,
      reversal ? 'reversal' : '',
      returned ? `returned ${returnReason}` : '',
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
