import { describe, expect, test } from 'vitest';
import { entry, mt940File, read, within } from './mt940-golden.ts';
import { entriesOf } from './read.ts';

// Read by hand from the files; see their README for origin and licence.

describe('the MT940 files of WoLpH/mt940', () => {
  test('betterplace-sepa_mt9401.sta', async () => {
    const expected = JSON.parse((await mt940File('betterplace-sepa_mt9401.expected.json')).toString());
    expect(expected).toHaveLength(97);
    expect(await read('betterplace-sepa_mt9401.sta')).toStrictEqual(expected);
  });

  test('citi-mt940.txt', async () => {
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

  test('cmxl-mt940.sta', async () => {
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

  test('self-provided-february_30.sta', async () => {
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

  test('self-provided-multiline.sta: the line after the end of the message belongs to its statement', async () => {
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

  test('self-provided-whitespace.sta', async () => {
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
  const entries = await entriesOf(content);
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
