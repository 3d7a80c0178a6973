import { describe, expect, test } from 'vitest';
import { entry, read, within } from './mt940-golden.ts';

// Read by hand from the files; see their README for origin and licence.

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
