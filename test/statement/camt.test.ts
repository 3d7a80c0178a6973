import { describe, expect, test } from 'vitest';
import { camtXml, details, ntry, payer } from '../setup/statement-files.ts';
import { catchReadErrorText, invalidStatementText, readEntries, readEntry, readOnlyEntry } from './read.ts';

const allVersions = Array.from({ length: 14 }, (_, index) => index + 1);

describe('messages and versions', () => {
  test.each(allVersions)('camt.052, camt.053 and camt.054 of version %i read the same', async (version) => {
    const status = version >= 7 ? '<Sts><Cd>BOOK</Cd></Sts>' : '<Sts>BOOK</Sts>';
    const amount = version >= 3 ? '<Amt Ccy="HKD">100</Amt><CdtDbtInd>CRDT</CdtDbtInd>' : '';
    const transaction = [
      '<Refs><AcctSvcrRef>T1</AcctSvcrRef><InstrId>I1</InstrId><EndToEndId>E1</EndToEndId><TxId>X1</TxId>',
      '<MndtId>M1</MndtId></Refs>',
      `${amount}${payer('Chan Tai Man', 'HK00999', version)}`,
      '<RmtInf><Ustrd>TIGER2345</Ustrd></RmtInf>',
    ].join('');
    const entry = ntry({ status, details: details(transaction) });
    const expected = {
      direction: 'credit',
      status: 'booked',
      isReversal: false,
      isReturned: false,
      amount: { minor: 10_000n, currency: 'HKD' },
      transactionCount: 1,
      bookedOn: '2026-11-20',
      valueOn: '2026-11-21',
      bankReference: 'T1',
      batchReference: 'R1',
      instructionId: 'I1',
      endToEndId: 'E1',
      transactionId: 'X1',
      mandateId: 'M1',
      reference: 'TIGER2345 E1',
      counterpartyName: 'Chan Tai Man',
      counterpartyAccount: 'HK00999',
      accountId: 'HK0012345678',
      accountCurrency: 'HKD',
      statementId: 'S1',
      line: 5,
    };
    for (const message of ['052', '053', '054'] as const) {
      const status = message === '052' ? 'provisional' : 'booked';
      expect(await readOnlyEntry(camtXml(entry, { message, version }))).toStrictEqual({
        ...expected,
        status,
      });
    }
  });

  test.each([
    ['a prefix', { prefix: 'ns2' }],
    ['no namespace', { namespace: '' }],
    [
      'a national variant of the namespace',
      { namespace: 'http://bank.example/de/camt.053.001.08.ch.02.xsd' },
    ],
  ])('%s has no effect on the entries', async (_, shape) => {
    const xml = ntry({ details: details('<RmtInf><Ustrd>TIGER2345</Ustrd></RmtInf>') });
    expect(await readEntries(camtXml(xml, shape))).toStrictEqual(await readEntries(camtXml(xml)));
  });

  test('a message inside an envelope is found', async () => {
    const message = camtXml(ntry()).split('\n').slice(1).join('\n');
    const xml = `<env:Envelope xmlns:env="urn:env"><env:Header><Document2/></env:Header><env:Body>${message}</env:Body></env:Envelope>`;
    expect(await readOnlyEntry(xml)).toMatchObject({ bankReference: 'R1', statementId: 'S1' });
  });

  test('elements of other namespaces are ignored', async () => {
    const extension = '<x:Amt xmlns:x="urn:x" Ccy="USD">9</x:Amt><x:Sts xmlns:x="urn:x">PDNG</x:Sts>';
    expect(await readEntry({ details: extension })).toMatchObject({
      status: 'booked',
      amount: { minor: 10_000n },
    });
  });

  test('a statement without entries has none, and each entry has the ID of its own statement', async () => {
    expect(await readEntries(camtXml(''))).toStrictEqual([]);
    const second = '</Stmt><Stmt><Id>S2</Id><Acct><Id><Othr><Id>012-345</Id></Othr></Id></Acct>';
    const entries = await readEntries(camtXml(ntry() + second + ntry({ reference: '' })));
    expect(
      entries.map(({ statementId, accountId, bankReference }) => [statementId, accountId, bankReference]),
    ).toEqual([
      ['S1', 'HK0012345678', 'R1'],
      ['S2', '012-345', undefined],
    ]);
    expect(entries[1]).not.toHaveProperty('accountCurrency');
  });

  test.each([
    ['camt.053.001.00', 'camt.053.001.00 is not supported: camt.052, camt.053 and camt.054 are supported'],
    ['camt.053.002.02', 'camt.053.002.02 is not supported'],
    ['camt.099.001.01', 'camt.099.001.01 is not supported'],
    ['pain.001.001.03', 'this file is pain.001.001.03, a payment order to the bank: camt.052'],
    ['pacs.008.001.08', 'this file is pacs.008.001.08, a credit transfer between banks: camt.052'],
    ['camt.052.001.08', '<BkToCstmrStmt> does not belong in the namespace'],
    ['camt.054.001.08', '<BkToCstmrStmt> does not belong in the namespace'],
    ['something', 'is not a supported ISO 20022 message'],
  ])('a namespace of %s is rejected', async (id, reason) => {
    const refusal = await catchReadErrorText(
      camtXml(ntry(), { namespace: `urn:iso:std:iso:20022:tech:xsd:${id}` }),
    );
    expect(refusal).toMatch(/^invalid_statement: line [23]: /);
    expect(refusal).toContain(reason);
  });
});

describe('status, direction, dates', () => {
  test.each([
    ['<Sts>BOOK</Sts>', 'booked'],
    ['<Sts>PDNG</Sts>', 'pending'],
    ['<Sts>INFO</Sts>', 'information'],
    ['<Sts><Cd>PDNG</Cd></Sts>', 'pending'],
    ['<Sts><Cd>FUTR</Cd></Sts>', 'pending'],
    ['<Sts><Cd>INFO</Cd></Sts>', 'information'],
    ['<Sts><Prtry>HELD</Prtry></Sts>', 'information'],
    ['', 'booked'],
  ])('%s has the status %s', async (status, expected) => {
    expect(await readEntry({ status })).toMatchObject({ status: expected });
    const provisional = expected === 'booked' ? 'provisional' : expected;
    expect(await readOnlyEntry(camtXml(ntry({ status }), { message: '052' }))).toMatchObject({
      status: provisional,
    });
  });

  test('a reversal has the direction in which the money moves', async () => {
    const undone = { reversal: '<RvslInd>true</RvslInd>', direction: '<CdtDbtInd>DBIT</CdtDbtInd>' };
    expect(await readEntry(undone)).toMatchObject({ isReversal: true, direction: 'debit' });
    expect(await readEntry({ reversal: '<RvslInd>0</RvslInd>' })).toMatchObject({ isReversal: false });
  });

  test('a return has its reason', async () => {
    const reason = '<Rsn><Cd>AC04</Cd></Rsn><AddtlInf>Account closed</AddtlInf>';
    expect(await readEntry({ details: details(`<RtrInf>${reason}</RtrInf>`) })).toMatchObject({
      isReturned: true,
      returnReason: 'AC04 Account closed',
    });
    const silent = await readEntry({ details: details('<RtrInf/>') });
    expect(silent).toMatchObject({ isReturned: true });
    expect(silent).not.toHaveProperty('returnReason');
  });

  test.each([
    ['<Dt>2026-11-20</Dt>', { bookedOn: '2026-11-20' }],
    ['<Dt>2026-11-20+08:00</Dt>', { bookedOn: '2026-11-20' }],
    [
      '<DtTm>2026-11-20T23:30:00Z</DtTm>',
      { bookedOn: '2026-11-20', bookedAt: new Date('2026-11-20T23:30:00Z') },
    ],
    [
      '<DtTm>2026-11-20T00:30:00.5+08:00</DtTm>',
      { bookedOn: '2026-11-20', bookedAt: new Date('2026-11-19T16:30:00.500Z') },
    ],
    ['<DtTm>2026-11-20T23:30:00</DtTm>', { bookedOn: '2026-11-20', bookedAtLocal: '2026-11-20T23:30:00' }],
    ['<Dt>2026-11-20T09:00:00</Dt>', { bookedOn: '2026-11-20', bookedAtLocal: '2026-11-20T09:00:00' }],
    ['<DtTm>2024-02-29</DtTm>', { bookedOn: '2024-02-29' }],
  ])('the booking date %s keeps its day', async (date, expected) => {
    const { bookedOn, bookedAt, bookedAtLocal } = await readEntry({ booked: `<BookgDt>${date}</BookgDt>` });
    expect({ bookedOn, bookedAt, bookedAtLocal }).toEqual(expected);
  });

  test('a pending entry may have no dates', async () => {
    const entry = await readEntry({ booked: '', value: '' });
    expect(entry).not.toHaveProperty('bookedOn');
    expect(entry).not.toHaveProperty('valueOn');
  });
});

describe('amounts', () => {
  test.each([
    ['HKD', '12.5', 1250n],
    ['HKD', '12.50000', 1250n],
    ['HKD', '.5', 50n],
    ['HKD', '5.', 500n],
    ['HKD', '0', 0n],
    ['HKD', '000012.34', 1234n],
    ['KRW', '1500.00', 1500n],
    ['VND', '2000000', 2_000_000n],
    ['IDR', '999999999999.99', 99_999_999_999_999n],
    ['KWD', '1.234', 1234n],
    ['DEM', '1.23', 123n],
    ['ITL', '1000', 1000n],
  ])('%s %s is exact', async (currency, amount, minor) => {
    const entry = await readEntry({ amount: `<Amt Ccy="${currency}">\n ${amount} </Amt>` });
    expect(entry.amount).toEqual({ minor, currency });
  });

  test.each([
    [
      '<Amt Ccy="HKD">12.345</Amt>',
      'the amount 12.345 has more than 2 decimal places, which HKD does not allow',
    ],
    ['<Amt Ccy="KRW">12.5</Amt>', 'the amount 12.5 has decimal places, which KRW does not allow'],
    ['<Amt Ccy="ITL">0.5</Amt>', 'the amount 0.5 has decimal places, which ITL does not allow'],
    ['<Amt Ccy="HKD">-1</Amt>', '"-1" is not an amount'],
    ['<Amt Ccy="HKD">1,50</Amt>', '"1,50" is not an amount'],
    ['<Amt Ccy="HKD">1e3</Amt>', '"1e3" is not an amount'],
    ['<Amt Ccy="HKD">.</Amt>', '"." is not an amount'],
    ['<Amt Ccy="HKD"/>', '"" is not an amount'],
    ['<Amt Ccy="HKD">1234567890123456</Amt>', '"1234567890123456" is not an amount'],
    ['<Amt Ccy="XYZ">1</Amt>', '"XYZ" is not an ISO 4217 currency'],
    ['<Amt>1</Amt>', '<Amt> has no currency (Ccy)'],
    ['<Amt Ccy="HKD">1</Amt><Amt Ccy="HKD">2</Amt>', '<Ntry> has more than one <Amt>'],
  ])('%s is rejected with the line and the reason', async (amount, reason) => {
    expect(await catchReadErrorText(camtXml(ntry({ amount })))).toBe(invalidStatementText(6, reason));
  });

  test('the amount of a single transaction never replaces that of its entry', async () => {
    for (const other of [
      '<Amt Ccy="USD">12.80</Amt>',
      '<Amt Ccy="HKD">100.1234</Amt>',
      '<Amt Ccy="XYZ">abc</Amt>',
    ]) {
      const entry = await readEntry({
        details: details(`${other}<RmtInf><Ustrd>TIGER2345</Ustrd></RmtInf>`),
      });
      expect(entry).toMatchObject({
        amount: { minor: 10_000n },
        transactionCount: 1,
        reference: 'TIGER2345',
      });
    }
  });
});

describe('invalid entries', () => {
  test.each([
    [{ amount: '' }, 'line 5: this <Ntry> has no <Amt>'],
    [{ direction: '' }, 'line 5: this <Ntry> has no <CdtDbtInd>'],
    [{ direction: '<CdtDbtInd>CREDIT</CdtDbtInd>' }, 'line 7: <CdtDbtInd> "CREDIT" is neither CRDT nor DBIT'],
    [{ status: '<Sts>DONE</Sts>' }, 'line 9: <Sts> "DONE" must be one of BOOK, PDNG, FUTR, INFO'],
    [{ status: '<Sts/>' }, 'line 9: <Sts> "" must be one of BOOK, PDNG, FUTR, INFO'],
    [{ reversal: '<RvslInd>yes</RvslInd>' }, 'line 8: <RvslInd> "yes" is neither true nor false'],
    [{ booked: '<BookgDt><Dt>2026-02-30</Dt></BookgDt>' }, 'line 10: <Dt> "2026-02-30" is not a date'],
    [{ booked: '<BookgDt><Dt>20.11.2026</Dt></BookgDt>' }, 'line 10: <Dt> "20.11.2026" is not a date'],
    [
      { value: '<ValDt><DtTm>2026-11-20T25:00:00</DtTm></ValDt>' },
      'line 11: <DtTm> "2026-11-20T25:00:00" is not a date',
    ],
  ])('%o are rejected', async (parts, reason) => {
    expect(await catchReadErrorText(camtXml(ntry(parts)))).toBe(`invalid_statement: ${reason}`);
  });

  test('with an account after them are rejected', async () => {
    const late = `${ntry()}<Acct><Id><IBAN>X</IBAN></Id></Acct>`;
    const reason = '<Acct> must come before the entries';
    expect(await catchReadErrorText(camtXml(late))).toBe(invalidStatementText(16, reason));
  });
});

describe('an entry of many transactions', () => {
  const transaction = (amount: string, text: string, more = '') =>
    `${more}${amount}${payer(`Payer ${text}`, `IBAN${text}`)}<RmtInf><Ustrd>${text}</Ustrd></RmtInf>`;
  const hkd = (amount: string) => `<Amt Ccy="HKD">${amount}</Amt>`;

  test('becomes an entry for each if their amounts add up', async () => {
    const entries = await readEntries(
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
    const entries = await readEntries(camtXml(ntry({ details: details(...parts) })));
    expect(entries.map(({ bankReference }) => bankReference)).toEqual(['T1', 'T2/2', 'T2/3', 'R1/4', 'R1/5']);
  });

  test('has no bank reference if the bank gives none', async () => {
    const parts = ['A', 'B'].map((text) => transaction(hkd('50'), text));
    const entries = await readEntries(camtXml(ntry({ reference: '', details: details(...parts) })));
    expect(entries.map(({ bankReference }) => bankReference)).toEqual([undefined, undefined]);
  });

  test('may hold transactions of the other direction', async () => {
    const fee = `${hkd('5')}<CdtDbtInd>DBIT</CdtDbtInd>`;
    const entries = await readEntries(
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
    const entry = await readEntry({ details: details(transaction(first, 'A'), transaction(second, 'B')) });
    expect(entry).toMatchObject({
      amount: { minor: 10_000n, currency: 'HKD' },
      transactionCount: 2,
      bankReference: 'R1',
      reference: 'A B',
      line: 5,
    });
    expect(entry).not.toHaveProperty('counterpartyName');
  });

  test('with only a batch block has the number of payments that it contains', async () => {
    const batch = '<NtryDtls><Btch><NbOfTxs>7</NbOfTxs></Btch></NtryDtls>';
    expect(await readEntry({ details: batch })).toMatchObject({ transactionCount: 7, reference: '' });
    const one = `<NtryDtls><Btch><NbOfTxs>7</NbOfTxs></Btch><TxDtls>${hkd('100')}</TxDtls></NtryDtls>`;
    expect(await readEntry({ details: one })).toMatchObject({ transactionCount: 1 });
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
      await readEntry({ details: details(transaction), info: '<AddtlNtryInf>Misc</AddtlNtryInf>' }),
    ).toMatchObject({
      reference: 'first & <second> TIG ER2345 INV-7 RF18 thanks ORDER-1',
      additionalInfo: 'FPS credit Misc',
    });
  });

  test('placeholders are omitted', async () => {
    const transaction = '<Refs><AcctSvcrRef>NONREF</AcctSvcrRef><EndToEndId>NOTPROVIDED</EndToEndId></Refs>';
    const entry = await readEntry({ details: details(transaction) });
    expect(entry).toMatchObject({ reference: '', bankReference: 'R1' });
    expect(entry).not.toHaveProperty('endToEndId');
  });

  test('an end-to-end id that the remittance text repeats is not added again', async () => {
    const transaction =
      '<Refs><EndToEndId>TIGER2345</EndToEndId></Refs><RmtInf><Ustrd>pay TIGER2345</Ustrd></RmtInf>';
    expect(await readEntry({ details: details(transaction) })).toMatchObject({ reference: 'pay TIGER2345' });
  });

  const side = (role: string, name: string, account: string) =>
    `<${role}><Nm>${name}</Nm></${role}><${role}Acct><Id><IBAN>${account}</IBAN></Id></${role}Acct>`;
  const both = `<RltdPties>${side('Dbtr', 'Them', 'X1')}${side('Cdtr', 'Us', 'HK00 1234 5678')}</RltdPties>`;

  test('the other side of a credit is the debtor, of a debit the creditor', async () => {
    expect(await readEntry({ details: details(both) })).toMatchObject({
      counterpartyName: 'Them',
      counterpartyAccount: 'X1',
    });
    expect(
      await readEntry({ details: details(both), direction: '<CdtDbtInd>DBIT</CdtDbtInd>' }),
    ).toMatchObject({
      counterpartyName: 'Us',
    });
  });

  test('the other side of a return or reversal is the one without our account', async () => {
    const original = `<RltdPties>${side('Dbtr', 'Us', 'HK0012345678')}${side('Cdtr', 'Them', 'X1')}</RltdPties>`;
    for (const parties of [both, original]) {
      const returned = await readEntry({ details: details(`${parties}<RtrInf/>`) });
      expect(returned).toMatchObject({
        isReturned: true,
        counterpartyName: 'Them',
        counterpartyAccount: 'X1',
      });
    }
    const onlyDebtor = `<RltdPties>${side('Dbtr', 'Them', 'X1')}</RltdPties>`;
    expect(
      await readEntry({ details: details(onlyDebtor), reversal: '<RvslInd>true</RvslInd>' }),
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
    const { counterpartyName, counterpartyAccount } = await readEntry({
      details: details(`<RltdPties>${parties}</RltdPties>`),
    });
    expect({ counterpartyName, counterpartyAccount }).toEqual(expected);
  });
});
