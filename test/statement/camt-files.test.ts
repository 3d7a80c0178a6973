import { createReadStream } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Entry, readAll } from './read.ts';

// The expected values were read manually from the files, whose README names their origin and license.

const read = (name: string): Promise<Entry[]> => {
  const url = new URL(`../fixtures/statements/camt/${name}`, import.meta.url);
  return readAll(createReadStream(url));
};

const booked = { status: 'booked', isReversal: false, isReturned: false, transactionCount: 1 };

describe('the camt files of genkgo/camt', () => {
  test('camt053.v2.five.decimals.xml has an amount of EUR 8.850, which is EUR 8.85', async () => {
    expect(await read('camt053.v2.five.decimals.xml')).toStrictEqual([
      {
        ...booked,
        direction: 'credit',
        amount: { minor: 885n, currency: 'EUR' },
        bookedOn: '2014-12-31',
        valueOn: '2015-01-02',
        endToEndId: '000000001',
        reference: 'Transaction Description 000000001',
        // The file names only the creditor, which is our side of a credit.
        accountId: 'NL26VAYB8060476890',
        accountCurrency: 'EUR',
        statementId: '253EURNL26VAYB8060476890',
        line: 61,
      },
    ]);
  });

  test('camt053.v2.minimal.xml has a structured reference, and no bank reference', async () => {
    expect(await read('camt053.v2.minimal.xml')).toStrictEqual([
      {
        ...booked,
        direction: 'credit',
        amount: { minor: 885n, currency: 'EUR' },
        bookedOn: '2014-12-31',
        valueOn: '2015-01-02',
        reference: '4654654654654654',
        counterpartyName: 'NAME NAME',
        counterpartyAccount: 'NL56AGDH9619008421',
        accountId: 'NL26VAYB8060476890',
        accountCurrency: 'EUR',
        statementId: '253EURNL26VAYB8060476890',
        line: 90,
      },
    ]);
  });

  test('camt053.v2.wrong.xml contains no statement and is rejected at the end of its message', async () => {
    await expect(read('camt053.v2.wrong.xml')).rejects.toMatchObject({
      code: 'invalid_statement',
      message: 'line 8: the message contains no statement (<Stmt>)',
    });
  });

  test('camt053.v4.xml has the amount of the entry, not that of its transaction of SEK 0', async () => {
    expect(await read('camt053.v4.xml')).toStrictEqual([
      {
        ...booked,
        direction: 'credit',
        amount: { minor: 885n, currency: 'EUR' },
        bookedOn: '2014-12-31',
        valueOn: '2015-01-02',
        bankReference: 'AAAASESS-FP-CN_98765/01',
        reference: '4654654654654654',
        counterpartyName: 'NAME NAME',
        counterpartyAccount: 'NL56AGDH9619008421',
        accountId: 'NL26VAYB8060476890',
        statementId: '253EURNL26VAYB8060476890',
        line: 110,
      },
    ]);
  });

  test('camt053.v8.xml has the time of the booking, and names of parties one level deeper', async () => {
    expect(await read('camt053.v8.xml')).toStrictEqual([
      {
        ...booked,
        direction: 'credit',
        amount: { minor: 885n, currency: 'EUR' },
        bookedOn: '2014-12-31',
        bookedAt: new Date('2014-12-31T12:15:00Z'),
        valueOn: '2015-01-02',
        bankReference: 'AAAASESS-FP-CN_98765/01',
        endToEndId: 'MUELL/FINP/RA12345',
        reference: '4654654654654654 MUELL/FINP/RA12345',
        counterpartyName: 'NAME NAME',
        counterpartyAccount: 'NL56AGDH9619008421',
        accountId: 'NL26VAYB8060476890',
        statementId: '253EURNL26VAYB8060476890',
        line: 110,
      },
    ]);
  });

  test('camt054.v2.xml has one entry of SEK 200,000, because its three transactions have no amounts', async () => {
    expect(await read('camt054.v2.xml')).toStrictEqual([
      {
        ...booked,
        direction: 'debit',
        amount: { minor: 20_000_000n, currency: 'SEK' },
        transactionCount: 3,
        bookedOn: '2007-10-18',
        bookedAt: new Date('2007-10-18T12:15:00Z'),
        valueOn: '2007-10-18',
        bankReference: 'AAAASESS-FP-ACCR001',
        endToEndId: 'MUELL/FINP/RA12345',
        reference: [
          'Unstructured Remittance Information V1',
          'ISR ref number V1',
          'Additional Remittance Information V1',
          'MUELL/FINP/RA12345',
          'ISR ref number V2',
          'Additional Remittance Information V2',
          'Unstructured Remittance Information V3 block 1',
          'Unstructured Remittance Information V3 block 2',
          'Ref number V3 block 1',
          'Additional Remittance Information V3 block 1',
          'Ref number V3 block 2',
          'Additional Remittance Information V3 block 2',
        ].join(' '),
        // The file names only the debtor, which is our side of a debit.
        accountId: 'CH2801234000123456789',
        statementId: 'AAAASESS-FP-ACCR001',
        line: 58,
      },
    ]);
  });

  test('camt054.v8.xml has one entry of SEK 200,000, because its three transactions are in CHF', async () => {
    expect(await read('camt054.v8.xml')).toStrictEqual([
      {
        ...booked,
        direction: 'debit',
        amount: { minor: 20_000_000n, currency: 'SEK' },
        transactionCount: 3,
        bookedOn: '2007-10-18',
        valueOn: '2007-10-18',
        bankReference: 'ACSR160617103200001',
        reference: [
          'Unstructured Remittance Information V1',
          'ISR ref number V1',
          'Additional Remittance Information V1',
          'UXC06170000006PI00001EE00001',
          'ISR ref number V2',
          'Additional Remittance Information V2',
          'UXC06170000006PI00001EE00002',
          'Unstructured Remittance Information V3 block 1',
          'Unstructured Remittance Information V3 block 2',
          'Ref number V3 block 1',
          'Additional Remittance Information V3 block 1',
          'Ref number V3 block 2',
          'Additional Remittance Information V3 block 2',
        ].join(' '),
        additionalInfo: 'Order',
        accountId: 'CH2801234000123456789',
        statementId: 'AAAASESS-FP-ACCR001',
        line: 63,
      },
    ]);
  });
});
