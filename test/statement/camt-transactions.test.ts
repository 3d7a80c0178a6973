import { describe, expect, test } from 'vitest';
import { camtXml, details, ntry, payer } from '../setup/statement-files.ts';
import { entriesOf, entryOf } from './read.ts';

describe('an entry of many transactions', () => {
  const transaction = (amount: string, text: string, more = '') =>
    `${more}${amount}${payer(`Payer ${text}`, `IBAN${text}`)}<RmtInf><Ustrd>${text}</Ustrd></RmtInf>`;
  const hkd = (amount: string) => `<Amt Ccy="HKD">${amount}</Amt>`;

  test('becomes one entry each when their amounts make up the whole', async () => {
    const entries = await entriesOf(
      camtXml(
        ntry({
          info: '<AddtlNtryInf>Collective credit</AddtlNtryInf>',
          details:
            details(transaction(hkd('60.10'), 'A'), transaction(hkd('30.00'), 'B')) +
            details(transaction(`<AmtDtls><TxAmt>${hkd('9.9')}</TxAmt></AmtDtls>`, 'C')),
        }),
      ),
    );
    expect(
      entries.map(({ amount, reference, bankReference, counterpartyName, line }) => [
        amount.minor,
        reference,
        bankReference,
        counterpartyName,
        line,
      ]),
    ).toEqual([
      [6010n, 'A', 'R1/1', 'Payer A', 15],
      [3000n, 'B', 'R1/2', 'Payer B', 18],
      [990n, 'C', 'R1/3', 'Payer C', 22],
    ]);
    for (const entry of entries) {
      expect(entry).toMatchObject({
        transactionCount: 1,
        direction: 'credit',
        additionalInfo: 'Collective credit',
      });
    }
  });

  test('keeps the references the bank gives its transactions, and makes equal ones unique', async () => {
    const refs = (reference: string) => `<Refs><AcctSvcrRef>${reference}</AcctSvcrRef></Refs>`;
    const parts = ['T1', 'T2', 'T2', 'R1', 'NOTPROVIDED'].map((one) =>
      transaction(hkd('20'), 'X', refs(one)),
    );
    const entries = await entriesOf(camtXml(ntry({ details: details(...parts) })));
    expect(entries.map(({ bankReference }) => bankReference)).toEqual(['T1', 'T2/2', 'T2/3', 'R1/4', 'R1/5']);
  });

  test('has no bank reference where the bank gives none', async () => {
    const parts = ['A', 'B'].map((text) => transaction(hkd('50'), text));
    const entries = await entriesOf(camtXml(ntry({ reference: '', details: details(...parts) })));
    expect(entries.map(({ bankReference }) => bankReference)).toEqual([undefined, undefined]);
  });

  test('may hold transactions of the other direction', async () => {
    const fee = `${hkd('5')}<CdtDbtInd>DBIT</CdtDbtInd>`;
    const entries = await entriesOf(
      camtXml(ntry({ details: details(transaction(hkd('105'), 'A'), `${fee}<AddtlTxInf>Fee</AddtlTxInf>`) })),
    );
    expect(entries).toMatchObject([
      { direction: 'credit', amount: { minor: 10_500n } },
      { direction: 'debit', amount: { minor: 500n }, additionalInfo: 'Fee' },
    ]);
  });

  test.each([
    ['do not add up', [hkd('60'), hkd('39.99')]],
    ['are partly missing', [hkd('60'), '']],
    ['are in another currency', [hkd('60'), '<Amt Ccy="USD">40</Amt>']],
    ['have more digits than the currency', [hkd('60.0001'), hkd('39.9999')]],
  ])('stays one entry when their amounts %s', async (_, [first = '', second = '']) => {
    const entry = await entryOf({ details: details(transaction(first, 'A'), transaction(second, 'B')) });
    expect(entry).toMatchObject({
      amount: { minor: 10_000n, currency: 'HKD' },
      transactionCount: 2,
      bankReference: 'R1',
      reference: 'A B',
      line: 5,
    });
    expect(entry).not.toHaveProperty('counterpartyName');
  });

  test('known by its batch block alone tells how many payments it stands for', async () => {
    const batch = '<NtryDtls><Btch><NbOfTxs>7</NbOfTxs></Btch></NtryDtls>';
    expect(await entryOf({ details: batch })).toMatchObject({ transactionCount: 7, reference: '' });
    const one = `<NtryDtls><Btch><NbOfTxs>7</NbOfTxs></Btch><TxDtls>${hkd('100')}</TxDtls></NtryDtls>`;
    expect(await entryOf({ details: one })).toMatchObject({ transactionCount: 1 });
  });
});

describe('texts and parties', () => {
  test('the reference holds every text the payer can have written, in order, once', async () => {
    const transaction = [
      '<Refs><EndToEndId>ORDER-1</EndToEndId><TxId>BANK-1</TxId><Prtry><Tp>X</Tp><Ref>BANK-2</Ref></Prtry></Refs>',
      '<RmtInf><Ustrd>first &amp; <![CDATA[<second>]]></Ustrd><Ustrd>TIG\n  ER2345</Ustrd>',
      '<Strd><RfrdDocInf><Tp><CdOrPrtry><Cd>CINV</Cd></CdOrPrtry></Tp><Nb>INV-7</Nb></RfrdDocInf>',
      '<CdtrRefInf><Tp><Issr>BBA</Issr></Tp><Ref>RF18</Ref></CdtrRefInf><AddtlRmtInf>thanks</AddtlRmtInf></Strd></RmtInf>',
      '<AddtlTxInf>FPS credit</AddtlTxInf>',
    ].join('');
    expect(
      await entryOf({ details: details(transaction), info: '<AddtlNtryInf>Misc</AddtlNtryInf>' }),
    ).toMatchObject({
      reference: 'first & <second> TIG ER2345 INV-7 RF18 thanks ORDER-1',
      additionalInfo: 'FPS credit Misc',
    });
  });

  test('placeholders are not texts', async () => {
    const transaction = '<Refs><AcctSvcrRef>NONREF</AcctSvcrRef><EndToEndId>NOTPROVIDED</EndToEndId></Refs>';
    const entry = await entryOf({ details: details(transaction) });
    expect(entry).toMatchObject({ reference: '', bankReference: 'R1' });
    expect(entry).not.toHaveProperty('endToEndId');
  });

  test('an end-to-end id that the remittance text repeats is not added again', async () => {
    const transaction =
      '<Refs><EndToEndId>TIGER2345</EndToEndId></Refs><RmtInf><Ustrd>pay TIGER2345</Ustrd></RmtInf>';
    expect(await entryOf({ details: details(transaction) })).toMatchObject({ reference: 'pay TIGER2345' });
  });

  const side = (role: string, name: string, account: string) =>
    `<${role}><Nm>${name}</Nm></${role}><${role}Acct><Id><IBAN>${account}</IBAN></Id></${role}Acct>`;
  const both = `<RltdPties>${side('Dbtr', 'Them', 'X1')}${side('Cdtr', 'Us', 'HK00 1234 5678')}</RltdPties>`;

  test('the other side of a credit is the debtor, of a debit the creditor', async () => {
    expect(await entryOf({ details: details(both) })).toMatchObject({
      counterpartyName: 'Them',
      counterpartyAccount: 'X1',
    });
    expect(await entryOf({ details: details(both), direction: '<CdtDbtInd>DBIT</CdtDbtInd>' })).toMatchObject(
      {
        counterpartyName: 'Us',
      },
    );
  });

  test('of a return or reversal it is the side that is not our account', async () => {
    const original = `<RltdPties>${side('Dbtr', 'Us', 'HK0012345678')}${side('Cdtr', 'Them', 'X1')}</RltdPties>`;
    for (const parties of [both, original]) {
      const returned = await entryOf({ details: details(`${parties}<RtrInf/>`) });
      expect(returned).toMatchObject({ returned: true, counterpartyName: 'Them', counterpartyAccount: 'X1' });
    }
    const onlyDebtor = `<RltdPties>${side('Dbtr', 'Them', 'X1')}</RltdPties>`;
    expect(
      await entryOf({ details: details(onlyDebtor), reversal: '<RvslInd>true</RvslInd>' }),
    ).toMatchObject({
      counterpartyName: 'Them',
    });
  });

  test.each([
    ['<Dbtr><Agt><FinInstnId><Nm>A Bank</Nm></FinInstnId></Agt></Dbtr>', { counterpartyName: 'A Bank' }],
    [
      '<Dbtr><Pty><PstlAdr><Ctry>HK</Ctry></PstlAdr></Pty></Dbtr><UltmtDbtr><Nm>U</Nm></UltmtDbtr>',
      { counterpartyName: 'U' },
    ],
    ['<DbtrAcct><Id><Othr><Id>012-345</Id></Othr></Id></DbtrAcct>', { counterpartyAccount: '012-345' }],
    ['<DbtrAcct><Prxy><Id>+85291234567</Id></Prxy></DbtrAcct>', { counterpartyAccount: '+85291234567' }],
    ['<Dbtr><Nm>NOTPROVIDED</Nm></Dbtr>', {}],
  ])('the payer is found in %s', async (parties, expected) => {
    const { counterpartyName, counterpartyAccount } = await entryOf({
      details: details(`<RltdPties>${parties}</RltdPties>`),
    });
    expect({ counterpartyName, counterpartyAccount }).toEqual(expected);
  });
});
