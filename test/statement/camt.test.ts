import { describe, expect, test } from 'vitest';
import { camtXml, details, ntry, payer } from '../setup/statement-files.ts';
import { entriesOf, entryOf, onlyEntryOf, refusalOf, refused } from './read.ts';

const allVersions = Array.from({ length: 12 }, (_, index) => index + 2);

describe('messages and versions', () => {
  test.each(allVersions)('camt.053 and camt.054 of version %i read the same', async (version) => {
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
      reversal: false,
      returned: false,
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
    for (const message of ['053', '054'] as const) {
      expect(await onlyEntryOf(camtXml(entry, { message, version }))).toStrictEqual(expected);
    }
  });

  test.each([
    ['a prefix', { prefix: 'ns2' }],
    ['no namespace', { namespace: '' }],
    [
      'a national variant of the namespace',
      { namespace: 'http://bank.example/de/camt.053.001.08.ch.02.xsd' },
    ],
  ])('%s changes nothing', async (_, shape) => {
    const xml = ntry({ details: details('<RmtInf><Ustrd>TIGER2345</Ustrd></RmtInf>') });
    expect(await entriesOf(camtXml(xml, shape))).toStrictEqual(await entriesOf(camtXml(xml)));
  });

  test('a message inside an envelope is found', async () => {
    const message = camtXml(ntry()).split('\n').slice(1).join('\n');
    const xml = `<env:Envelope xmlns:env="urn:env"><env:Header><Document2/></env:Header><env:Body>${message}</env:Body></env:Envelope>`;
    expect(await onlyEntryOf(xml)).toMatchObject({ bankReference: 'R1', statementId: 'S1' });
  });

  test('elements of other namespaces are not mistaken for ours', async () => {
    const extension = '<x:Amt xmlns:x="urn:x" Ccy="USD">9</x:Amt><x:Sts xmlns:x="urn:x">PDNG</x:Sts>';
    expect(await entryOf({ details: extension })).toMatchObject({
      status: 'booked',
      amount: { minor: 10_000n },
    });
  });

  test('a statement without entries yields nothing; each entry belongs to its own statement', async () => {
    expect(await entriesOf(camtXml(''))).toStrictEqual([]);
    const second = '</Stmt><Stmt><Id>S2</Id><Acct><Id><Othr><Id>012-345</Id></Othr></Id></Acct>';
    const entries = await entriesOf(camtXml(ntry() + second + ntry({ reference: '' })));
    expect(
      entries.map(({ statementId, accountId, bankReference }) => [statementId, accountId, bankReference]),
    ).toEqual([
      ['S1', 'HK0012345678', 'R1'],
      ['S2', '012-345', undefined],
    ]);
    expect(entries[1]).not.toHaveProperty('accountCurrency');
  });

  test.each([
    ['camt.053.001.01', 'camt.053.001.01 is not supported'],
    ['camt.053.001.14', 'camt.053.001.14 is not supported'],
    ['camt.052.001.08', 'camt.052.001.08 is not supported'],
    ['pain.001.001.03', 'pain.001.001.03 is not supported'],
    ['camt.054.001.08', '<BkToCstmrStmt> does not belong in the namespace'],
    ['something', 'is not a supported ISO 20022 message'],
  ])('a namespace of %s is refused', async (id, reason) => {
    const refusal = await refusalOf(camtXml(ntry(), { namespace: `urn:iso:std:iso:20022:tech:xsd:${id}` }));
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
  ])('%s is %s', async (status, expected) => {
    expect(await entryOf({ status })).toMatchObject({ status: expected });
  });

  test('a reversal is told, in the direction in which the money moves', async () => {
    const undone = { reversal: '<RvslInd>true</RvslInd>', direction: '<CdtDbtInd>DBIT</CdtDbtInd>' };
    expect(await entryOf(undone)).toMatchObject({ reversal: true, direction: 'debit' });
    expect(await entryOf({ reversal: '<RvslInd>0</RvslInd>' })).toMatchObject({ reversal: false });
  });

  test('a return is told with its reason', async () => {
    const reason = '<Rsn><Cd>AC04</Cd></Rsn><AddtlInf>Account closed</AddtlInf>';
    expect(await entryOf({ details: details(`<RtrInf>${reason}</RtrInf>`) })).toMatchObject({
      returned: true,
      returnReason: 'AC04 Account closed',
    });
    const silent = await entryOf({ details: details('<RtrInf/>') });
    expect(silent).toMatchObject({ returned: true });
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
    const { bookedOn, bookedAt, bookedAtLocal } = await entryOf({ booked: `<BookgDt>${date}</BookgDt>` });
    expect({ bookedOn, bookedAt, bookedAtLocal }).toEqual(expected);
  });

  test('a pending entry may have no dates', async () => {
    const entry = await entryOf({ booked: '', value: '' });
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
    const entry = await entryOf({ amount: `<Amt Ccy="${currency}">\n ${amount} </Amt>` });
    expect(entry.amount).toEqual({ minor, currency });
  });

  test.each([
    ['<Amt Ccy="HKD">12.345</Amt>', 'the amount 12.345 has more digits than HKD has'],
    ['<Amt Ccy="KRW">12.5</Amt>', 'the amount 12.5 has more digits than KRW has'],
    ['<Amt Ccy="ITL">0.5</Amt>', 'the amount 0.5 has more digits than ITL has'],
    ['<Amt Ccy="HKD">-1</Amt>', '"-1" is not an amount'],
    ['<Amt Ccy="HKD">1,50</Amt>', '"1,50" is not an amount'],
    ['<Amt Ccy="HKD">1e3</Amt>', '"1e3" is not an amount'],
    ['<Amt Ccy="HKD">.</Amt>', '"." is not an amount'],
    ['<Amt Ccy="HKD"/>', '"" is not an amount'],
    ['<Amt Ccy="HKD">1234567890123456</Amt>', '"1234567890123456" is not an amount'],
    ['<Amt Ccy="XYZ">1</Amt>', '"XYZ" is not an ISO 4217 currency'],
    ['<Amt>1</Amt>', '<Amt> has no currency (Ccy)'],
    ['<Amt Ccy="HKD">1</Amt><Amt Ccy="HKD">2</Amt>', '<Ntry> has more than one <Amt>'],
  ])('%s refuses the file by line and reason', async (amount, reason) => {
    expect(await refusalOf(camtXml(ntry({ amount })))).toBe(refused(6, reason));
  });

  test('the amount of a single transaction never replaces that of its entry', async () => {
    for (const other of [
      '<Amt Ccy="USD">12.80</Amt>',
      '<Amt Ccy="HKD">100.1234</Amt>',
      '<Amt Ccy="XYZ">abc</Amt>',
    ]) {
      const entry = await entryOf({ details: details(`${other}<RmtInf><Ustrd>TIGER2345</Ustrd></RmtInf>`) });
      expect(entry).toMatchObject({
        amount: { minor: 10_000n },
        transactionCount: 1,
        reference: 'TIGER2345',
      });
    }
  });
});

describe('entries that miss what counts', () => {
  test.each([
    [{ amount: '' }, 'line 5: this <Ntry> has no <Amt>'],
    [{ direction: '' }, 'line 5: this <Ntry> has no <CdtDbtInd>'],
    [{ status: '' }, 'line 5: this <Ntry> has no <Sts>'],
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
  ])('%o is refused', async (parts, reason) => {
    expect(await refusalOf(camtXml(ntry(parts)))).toBe(`invalid_statement: ${reason}`);
  });

  test('an account that follows its entries is refused', async () => {
    const late = `${ntry()}<Acct><Id><IBAN>X</IBAN></Id></Acct>`;
    const reason = '<Acct> comes after the entries it belongs to';
    expect(await refusalOf(camtXml(late))).toBe(refused(16, reason));
  });
});
