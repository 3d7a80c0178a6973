import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { type Entry, readEntries, whatMoved } from './read.ts';

// The expected values were read manually from the files, whose README names their origin and license.

const mt940File = (name: string) =>
  readFile(new URL(`../fixtures/statements/mt940/${name}`, import.meta.url));

/** Returns an entry with a signed amount and its flags. The currency of the account must be that of the amount. */
const short = ({ direction, amount, isReversal, isReturned, ...entry }: Entry) => {
  const { status, transactionCount, accountCurrency, ...rest } = entry;
  expect({ status, transactionCount, accountCurrency }).toEqual({
    status: 'booked',
    transactionCount: 1,
    accountCurrency: amount.currency,
  });
  const flags = [isReversal ? 'reversal' : '', isReturned ? 'returned' : '']
    .filter((flag) => flag !== '')
    .join(' ');
  return { ...rest, amount: whatMoved({ direction, amount }), flags };
};

const read = async (name: string) => (await readEntries(await mt940File(name))).map(short);

const entry = (
  line: number,
  amount: string,
  bookedOn: string,
  reference: string,
  more: Partial<ReturnType<typeof short>> = {},
) => ({ line, amount, bookedOn, valueOn: bookedOn, reference, flags: '', ...more });

const within = (
  statement: { accountId: string; statementId: string },
  ...entries: ReturnType<typeof entry>[]
) => entries.map((one) => ({ ...one, ...statement }));

describe('the MT940 files of WoLpH/mt940', () => {
  test('betterplace-sepa_mt9401.sta has the expected 97 entries', async () => {
    const expected = JSON.parse((await mt940File('betterplace-sepa_mt9401.expected.json')).toString());
    expect(expected).toHaveLength(97);
    expect(await read('betterplace-sepa_mt9401.sta')).toStrictEqual(expected);
  });

  test('citi-mt940.txt has debits and entries with the amount zero', async () => {
    const text = '/PT/FT/PY/SOMETHING FOO BAR 112233 123456789';
    const misc = { additionalInfo: '/ABC/DEF/MISCELLANEOUS' };
    expect(await read('citi-mt940.txt')).toStrictEqual(
      within(
        { accountId: '123456789', statementId: 'asdfsdfdsf' },
        entry(5, '-21239 USD', '2024-03-12', text, misc),
        entry(9, '-36928 USD', '2024-03-12', text, misc),
        entry(13, '0 USD', '2024-03-12', '', { additionalInfo: '/ABC/DEF/C 37897,00 BAI CD 025' }),
        entry(15, '0 USD', '2024-03-12', '', { additionalInfo: '/ABC/DEF/C 17376,67 BAI CD 010' }),
        entry(17, '-56108 USD', '2024-03-12', text, misc),
      ),
    );
  });

  test('cmxl-mt940.sta has the entries of three accounts in three currencies', async () => {
    const polish = [
      '08106000760000777777777777 15617 INFO INFO INFO INFO INFO INFO 1 END INFO INFO INFO INFO INFO INFO 2 END',
      'ZAPLATA ZA FABRYKATY DO TUB - 200 S ZTUK, TRANZY STORY- 300 SZT GR544 I OPORNIKI-5 00 SZT GTX847 FAKTURA 333/ 2 003.',
    ].join(' ');
    const account = { counterpartyAccount: 'PL08106000760000777777777777' };
    expect(await read('cmxl-mt940.sta')).toStrictEqual([
      ...within(
        { accountId: '45050050/76198810', statementId: '131110' },
        entry(5, '-680000 DEM', '2013-10-17', '999PN5477SCHECK-NR. 0000016703074'),
        entry(7, '-62030 DEM', '2013-10-17', '999PN0911DAUERAUFTR.NR. 14'),
        entry(9, '1850000 DEM', '2013-10-17', '999PN2406SCHECK'),
        entry(11, '-1422000 DEM', '2013-10-15', '999PN0920WECHSEL'),
        entry(13, '-150700 DEM', '2013-10-17', '999PN0920SCHNELLUEB'),
        entry(15, '420000 DEM', '2013-10-24', '999PN2506AUSSENH. NR. 1'),
        entry(17, '-1990000 DEM', '2013-10-17', '999PN0907UEBERTRAG'),
        entry(19, '-40000 DEM', '2013-10-17', '999PN0891BTX'),
        entry(21, '365674 DEM', '2013-10-18', '999PN0850EINZAHLG.N'),
        entry(23, '2304000 DEM', '2013-10-19', '999PN0812LT.ANLAGE'),
        entry(25, '-586214 DEM', '2013-10-27', '999PN5329AUSLSCHECK'),
      ),
      ...within(
        { accountId: '10020030/1234567', statementId: '1234567' },
        entry(36, '-80000 EUR', '2002-11-02', 'Miete November', {
          valueOn: '2002-11-01',
          bankReference: '55555',
          additionalInfo: 'DAUERAUFTRAG',
          counterpartyName: 'MUELLER',
          counterpartyAccount: '234567',
        }),
        entry(38, '300000 EUR', '2002-11-02', 'Gehalt Oktober Firma Mustermann GmbH', {
          bankReference: '55555',
          additionalInfo: 'UEBERWEISUNG',
          counterpartyName: 'MUELLER',
          counterpartyAccount: '0847564700',
        }),
      ),
      ...within(
        { accountId: 'BPHKPLPK/320000546101', statementId: 'TELEWIZORY S.A.' },
        entry(53, '2000000 PLN', '2003-10-20', polish, {
          ...account,
          bankReference: '8327000090031789',
          additionalInfo: 'Wyplata-(dysp/przel) Card transaction',
          counterpartyName: 'HUTA SZKLA TOPIC UL PRZEMY SLOWA 67 32-669 WROCLAW',
        }),
        entry(62, '-1000000 PLN', '2003-10-20', `${polish} REF 25611247`, {
          ...account,
          bankReference: '8327000090031790',
          additionalInfo: 'Wyplata-(dysp/przel) Transfer',
        }),
        entry(70, '4000 PLN', '2003-10-20', 'Odsetki od lokaty nr 101000022086', {
          bankReference: '8327000090031791',
          additionalInfo: 'Uznanie kwotą odsetek Interest credit',
        }),
      ),
    ]);
  });

  test('self-provided-february_30.sta has the value date 29 February for 30 February', async () => {
    expect(await read('self-provided-february_30.sta')).toStrictEqual(
      within(
        { accountId: '12345678/1020304050', statementId: 'STARTUMSE' },
        entry(6, '-600 EUR', '2016-03-01', 'Pauschalen', {
          valueOn: '2016-02-29',
          additionalInfo: 'ENTGELTABSCHLUSS',
        }),
      ),
    );
  });

  test('self-provided-multiline.sta has a line after the end of the message, which belongs to its statement', async () => {
    const lines = [
      '11111111111111111111',
      '22222222222222222222',
      '33333333333333333333',
      '44444444444444444444',
    ];
    const line = (digits: string) => `LIGNE${digits}X12345678`;
    const reference = [
      ...lines.map((digits) => line(`${digits}${digits[0]}`)),
      line('555555555555555555555'),
      '/CHGS/EUR0,5/',
      ...[
        '777777777777777777777',
        '888888888888888888888',
        '999999999999999999999',
        '101010101010101010101',
      ].map(line),
      ...[1, 2, 3, 4].map((number) => `NOM ET ADRESSE DO / BENEF ${number}12345678`),
      'REFERENCE DO 111',
    ].join(' ');
    expect(await read('self-provided-multiline.sta')).toStrictEqual(
      within(
        { accountId: 'BILLLULLXXX/"NUMERO DE COMPTE IBAN 2"', statementId: 'BILMT940' },
        entry(5, '-500 EUR', '2004-08-04', reference, {
          bankReference: 'MUL0408041114005',
          additionalInfo:
            'VIREMENT111111111111111111X NOM ET ADRESSE DO / BENEF 512345678 NOM ET ADRESSE DO / BENEF 612345678 /OCMT/EUR4,5//IACC/D3/',
          counterpartyName: 'NOM DU DO / BENEFICIAIRE 11 NOM DU DO / BENEFICIAIRE 22',
          counterpartyAccount: 'NUMERODECOMPTEIBAN234567890123',
        }),
        entry(38, '11900 EUR', '2022-12-20', '341241773/1XXXXX', {
          valueOn: '2022-12-19',
          bankReference: 'O/341241774',
          additionalInfo: 'Paiement',
        }),
      ),
    );
  });

  test('self-provided-whitespace.sta has a text without the line breaks of the file', async () => {
    expect(await read('self-provided-whitespace.sta')).toStrictEqual(
      within(
        { accountId: '12345678/1020304050', statementId: 'STARTUMS' },
        entry(
          5,
          '-23315 EUR',
          '2017-09-14',
          'ERSTATTUNG AUSLANDSEINSATZENTGELT FUER VISA 4998 XXXX XXXX 1234',
          {
            additionalInfo: 'UMBUCHUNG',
            counterpartyName: 'DEUTSCHE KREDITBANK AG',
            counterpartyAccount: '9003932309',
          },
        ),
      ),
    );
  });
});

test.each([
  ['betterplace-sepa_mt9401.sta', 26],
  ['citi-mt940.txt', 1],
  ['cmxl-mt940.sta', 3],
  ['jejik-rabobank-iban.sta', 2],
])('the entries of %s lead from each opening to each closing balance: %i of them', async (name, closings) => {
  const content = await mt940File(name);
  const entries = await readEntries(content);
  const minor = (mark: string, amount: string) =>
    BigInt(amount.replace(',', '').padEnd(amount.indexOf(',') + 2, '0')) * (mark === 'C' ? 1n : -1n);
  let balance = 0n;
  let closed = 0;
  for (const [index, text] of content.toString().split('\n').entries()) {
    const found = entries.find(({ line }) => line === index + 1);
    if (found) balance += found.direction === 'credit' ? found.amount.minor : -found.amount.minor;
    const [, tag, mark, amount] = /^:(60|62)[FM]:([CD])\d{6}[A-Z]{3}(.+)$/.exec(text.trim()) ?? [];
    if (tag === '60') balance = minor(mark!, amount!);
    if (tag !== '62') continue;
    expect(balance).toBe(minor(mark!, amount!));
    closed += 1;
  }
  expect(closed).toBe(closings);
});

describe('the MT940 files of Dutch and Swiss banks', () => {
  test('jejik-abnamro.sta', async () => {
    const card = (line: number, amount: string, valueOn: string, text: string) =>
      entry(line, amount, '2011-05-23', `BEA NR:XXX1234 ${text},PAS999`, { valueOn });
    expect(await read('jejik-abnamro.sta')).toStrictEqual(
      within(
        { accountId: '517852257', statementId: 'ABN AMRO BANK NV' },
        entry(
          8,
          '-900 EUR',
          '2011-05-24',
          'GIRO 428428 KPN - DIGITENNE BETALINGSKENM. 000000042188659 5314606715 BETREFT FACTUUR D.D. 20-05-2011 INCL. 1,44 BTW',
          { counterpartyName: 'KPN - DIGITENNE', counterpartyAccount: '428428' },
        ),
        card(12, '-1159 EUR', '2011-05-21', '21.05.11/12.54 DIRCKIII FIL2500 KATWIJK'),
        card(14, '-1163 EUR', '2011-05-23', '23.05.11/09.08 DIGROS FIL1015 KATWIJK Z'),
        card(16, '-1180 EUR', '2011-05-22', '22.05.11/14.25 MC DONALDS A44 LEIDEN'),
        card(18, '-1345 EUR', '2011-05-21', '21.05.11/12.09 PRINCE FIL. 55 KATWIJK Z'),
        card(20, '-1549 EUR', '2011-05-21', '21.05.11/12.55 DIRX FIL6017 KATWIJK ZH '),
        card(23, '-10700 EUR', '2011-05-21', '21.05.11/12.04 HANS ANDERS OPT./056 KAT'),
        card(25, '-14148 EUR', '2011-05-22', '22.05.11/13.45 MYCOM DEN HAAG S-GRAVEN'),
        {
          ...card(36, '-949 EUR', '2011-05-24', '24.05.11/09.18 PETS PLACE KATWIJK KATWI'),
          bookedOn: '2011-05-24',
        },
        entry(38, '-1500 EUR', '2011-05-24', '52.89.39.882 MYCOM DEN HAAG', {
          counterpartyName: 'MYCOM DEN HAAG',
          counterpartyAccount: '52.89.39.882',
        }),
      ),
    );
  });

  test('jejik-ing.sta', async () => {
    const other = { counterpartyAccount: '0111111111' };
    expect(await read('jejik-ing.sta')).toStrictEqual(
      within(
        { accountId: '0001234567', statementId: 'MPBZ' },
        entry(
          8,
          '-2503 EUR',
          '2010-07-22',
          'RC AFREKENING BETALINGSVERKEER BETREFT REKENING 4715589 PERIODE: 01-10-2010 / 31-12-2010 ING Bank N.V. tarifering ING',
        ),
        entry(
          12,
          '-303 EUR',
          '2010-07-22',
          '0111111111 GPSEOUL SPOEDBETALING MPBZS1016000047 GPSEOUL',
          other,
        ),
        entry(
          14,
          '-111 EUR',
          '2010-07-22',
          '0111111111 ING iDEAL KN: TMG TANGO TRANSACTIENR 0050000534527978 10\u00AD06\u00AD2010 15:32 TMG TANGO ING Bank inzake GPKyoto',
          other,
        ),
        entry(
          16,
          '-2000 EUR',
          '2010-07-22',
          'ABN AMRO BANK>AMSTERDAM 22\u00AD07\u00AD2010 09:57 002 5595781',
        ),
        entry(18, '-110 EUR', '2010-07-22', '0111111111 GPPeking 170000001AC', other),
        entry(
          20,
          '368 EUR',
          '2010-07-22',
          '0123456789 EJ46GREENP100610T1456 CLIEOP TMG GPHONGKONG AMSTERDAM',
          {
            counterpartyAccount: '0123456789',
          },
        ),
        entry(
          22,
          '100 EUR',
          '2010-07-23',
          '0111111111 Hr S Marechal ROSMALEN Hr S Marechal ROSMALEN Betaling transactiedatum: 22-07-2010',
          other,
        ),
      ),
    );
  });

  test('jejik-knab.sta', async () => {
    expect(await read('jejik-knab.sta')).toStrictEqual([
      ...within(
        { accountId: '123456789', statementId: 'B4E08MS9D00A0009' },
        entry(
          5,
          '50000 EUR',
          '2014-05-07',
          'HIER EEN MOOIE OMSCHRIJVING IN HOOFDLETTERS WANT DAT IS ZOALS DE NEDERLANDSE BANKEN COMMUNICEREN',
          { bankReference: 'B4E07XM00J000023' },
        ),
      ),
      ...within(
        { accountId: '123456789', statementId: 'B4G30MS9D00A003D' },
        entry(
          14,
          '-726000 EUR',
          '2014-07-29',
          'FACTUUR 201403110, 201403113 REK: NL65INGB0123456789/NAAM: PICQER',
          {
            bankReference: 'B4G29PGCVO7Q06US',
            counterpartyName: 'PICQER',
            counterpartyAccount: 'NL65INGB0123456789',
          },
        ),
        entry(
          17,
          '50000 EUR',
          '2014-07-29',
          '12160475 0050001631430920 ORDERID: 264267 MEDIA MARKT ONLINE NE REK: NL84INGB0234561789/NAAM: MMS ONLINE NEDERLAND B.V. 29-07-2014 10:05',
          {
            bankReference: 'B4G29PGDCK1QFV3E',
            counterpartyName: 'MMS ONLINE NEDERLAND B.V.',
            counterpartyAccount: 'NL84INGB0234561789',
          },
        ),
      ),
    ]);
  });

  test('jejik-postfinance.sta', async () => {
    expect(await read('jejik-postfinance.sta')).toStrictEqual([
      ...within(
        { accountId: '123456789', statementId: '2014040708285927' },
        entry(
          5,
          '7970 CHF',
          '2013-12-09',
          'GIRO AUS ONLINE-SIC 80532 AUFTRAGGEBER: JANE DOE EXAMPLESTRASSE 10 1234 XXXX 131209CH98765432 MITTEILUNGEN: RECHNUNG XXXXXXXXXXXX 01916',
          { additionalInfo: '20131209007602198765432000000012' },
        ),
        entry(
          9,
          '14950 CHF',
          '2013-12-09',
          'GIRO AUS ONLINE-SIC 81379 AUFTRAGGEBER: JOHN DOE EXAMPLESTRASSE 12 1234 XXXXXXXXXX 131209CH87654321 01916',
          { additionalInfo: '20131209007602187654321000000012' },
        ),
      ),
      ...within(
        { accountId: '123456789', statementId: '2014040708285928' },
        entry(
          19,
          '-7990 CHF',
          '2013-12-16',
          'GIRO AUS ONLINE-SIC 80701 AUFTRAGGEBER: XXXXXXXXX XXX XXXXXXXXSTRASSE 111 1234 XXXXXXXXXXXX 131216CH12345678 MITTEILUNGEN: 1 SONNENGLAESER 01916',
          { additionalInfo: '20131216007602112345678000000012' },
        ),
        entry(24, '1010 CHF', '2013-12-18', 'EINZAHLUNGSSCHEIN 01651', {
          additionalInfo: '20131216816204000100125000000012',
        }),
      ),
    ]);
  });

  test('jejik-rabobank-iban.sta', async () => {
    const pair = (line: number, first: string, second: string) => {
      const endToEndId = `${first.split('-').reverse().join('-')} 12:00 0030000987654321`;
      return [
        entry(line, '-2500 EUR', first, endToEndId, {
          endToEndId,
          counterpartyName: 'CONTRA ACCOUNT HOLDER',
          counterpartyAccount: 'NL70ABNA0987654321',
        }),
        entry(line + 4, '-1000 EUR', second, 'Reference 201301234', {
          counterpartyName: 'JOHN DOE',
          counterpartyAccount: 'P001234567',
        }),
      ];
    };
    expect(await read('jejik-rabobank-iban.sta')).toStrictEqual(
      within(
        { accountId: 'NL71RABO0123456789', statementId: '940S130101' },
        ...pair(6, '2013-01-01', '2013-01-02'),
        ...pair(18, '2013-01-08', '2013-01-09'),
      ),
    );
  });

  test('jejik-triodos.sta', async () => {
    const text = 'ALGEMENE TUSSENREKENING KOSTEN VAN 01-10-2010 TOT EN MET 31-12-2010';
    expect(await read('jejik-triodos.sta')).toStrictEqual(
      within(
        { accountId: 'TRIODOSBANK/0390123456', statementId: '1308728725026/1' },
        entry(5, '-1570 EUR', '2011-01-01', text, { counterpartyAccount: '0390123456' }),
        entry(9, '-70000 EUR', '2011-01-25', 'HUUR KANTOOR - FEB 2010'),
      ),
    );
  });
});
