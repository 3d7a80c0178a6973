import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { StatementSummary } from '../../src/statement/control-totals.ts';
import { readStatement } from '../../src/statement/read-statement.ts';
import { camtXml, details, mt940Text, ntry, toChunks } from '../setup/statement-files.ts';

/** The summaries of a file's statements. */
async function readSummaries(content: string | Uint8Array): Promise<StatementSummary[]> {
  const summaries: StatementSummary[] = [];
  const onStatement = (summary: StatementSummary) => summaries.push(summary);
  await Array.fromAsync(readStatement(toChunks(content, 100), { onStatement }));
  return summaries;
}

const balance = (type: string, amount: string, direction = 'CRDT') =>
  `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp><Amt Ccy="HKD">${amount}</Amt><CdtDbtInd>${direction}</CdtDbtInd><Dt><Dt>2026-11-20</Dt></Dt></Bal>`;

const hkd = (minor: bigint, isIntermediate = false) => ({
  minor,
  currency: 'HKD',
  on: '2026-11-20',
  isIntermediate,
});

describe('the control totals of camt', () => {
  test('contain the balances, the numbers and sums of entries, and the page', async () => {
    const figures = [
      '<StmtPgntn><PgNb>2</PgNb><LastPgInd>true</LastPgInd></StmtPgntn><ElctrncSeqNb>17</ElctrncSeqNb>',
      balance('OPBD', '10.00', 'DBIT'),
      balance('CLBD', '90.00'),
      balance('CLAV', '1.00'),
      '<TxsSummry><TtlNtries><NbOfNtries>2</NbOfNtries><Sum>100</Sum><TtlNetNtry><Amt>100</Amt><CdtDbtInd>CRDT</CdtDbtInd></TtlNetNtry></TtlNtries>',
      '<TtlCdtNtries><NbOfNtries>1</NbOfNtries><Sum>100.00</Sum></TtlCdtNtries><TtlDbtNtries><NbOfNtries>0</NbOfNtries><Sum>many</Sum></TtlDbtNtries></TxsSummry>',
    ];
    expect(await readSummaries(camtXml(figures.join('') + ntry()))).toEqual([
      {
        kind: 'camt.053',
        line: 4,
        statementId: 'S1',
        accountId: 'HK0012345678',
        accountCurrency: 'HKD',
        controlTotals: {
          openingBalance: hkd(-1000n),
          closingBalance: hkd(9000n),
          entryCount: 2,
          entrySum: 10_000n,
          netSum: 10_000n,
          creditCount: 1,
          creditSum: 10_000n,
          debitCount: 0,
          currency: 'HKD',
          statementNumber: '17',
          pageNumber: 2,
          isLastPage: true,
        },
        totals: {
          entryCount: 1,
          creditCount: 1,
          creditSum: 10_000n,
          debitCount: 0,
          debitSum: 0n,
          bookedNetSum: 10_000n,
          currencies: ['HKD'],
        },
      },
    ]);
  });

  test.each([
    ['the previous closing balance opens a statement', ['PRCD', 'CLBD'], [1n, 2n]],
    ['a first page ends with an interim balance', ['OPBD', 'ITBD'], [1n, 2n]],
    ['a last page begins with an interim balance', ['ITBD', 'CLBD'], [1n, 2n]],
    ['a page in between has two interim balances', ['ITBD', 'ITBD'], [1n, 2n]],
    ['a single interim balance is neither', ['ITBD'], [undefined, undefined]],
  ])('%s', async (_, types, expected) => {
    const balances = types.map((type, index) => balance(type, `0.0${index + 1}`)).join('');
    const [summary] = await readSummaries(camtXml(balances));
    const { openingBalance, closingBalance } = summary!.controlTotals ?? {};
    expect([openingBalance?.minor, closingBalance?.minor]).toEqual(expected);
  });

  test.each([
    ['two amounts', '<Amt Ccy="HKD">0.01</Amt>'],
    ['two dates', '<Dt><Dt>2026-11-20</Dt></Dt>'],
  ])('a balance with %s is omitted', async (_, part) => {
    const opening = balance('OPBD', '0.01').replace(part, part + part);
    const [summary] = await readSummaries(camtXml(opening + balance('CLBD', '0.02') + ntry()));
    expect(summary!.controlTotals).toEqual({ closingBalance: hkd(2n) });
    expect(summary!.totals.entryCount).toBe(1);
  });

  test('an entry of several transactions is one entry of the totals', async () => {
    const part = (amount: string) => `<Amt Ccy="HKD">${amount}</Amt>`;
    const [summary] = await readSummaries(
      camtXml(
        ntry({ details: details(part('60.00'), part('40.00')) }) +
          ntry({ direction: '<CdtDbtInd>DBIT</CdtDbtInd>' }),
      ),
    );
    expect(summary).not.toHaveProperty('controlTotals');
    expect(summary!.totals).toEqual({
      entryCount: 2,
      creditCount: 1,
      creditSum: 10_000n,
      debitCount: 1,
      debitSum: 10_000n,
      bookedNetSum: 0n,
      currencies: ['HKD'],
    });
  });
});

describe('the control totals of MT940', () => {
  test('contain the balances, the number of the statement and the page', async () => {
    const [first, second, ...more] = await readSummaries(
      mt940Text(':61:261120C100,NTRF\n:61:261120D30,5NTRF') + mt940Text('', { account: 'HK99' }),
    );
    expect(more).toEqual([]);
    expect(second).toMatchObject({ accountId: 'HK99', line: 9, totals: { entryCount: 0 } });
    expect(first).toEqual({
      kind: 'mt940',
      line: 1,
      statementId: 'S1',
      accountId: '012-345678',
      accountCurrency: 'HKD',
      controlTotals: {
        openingBalance: { ...hkd(0n), on: '2026-11-19' },
        closingBalance: hkd(10_000n),
        statementNumber: '1',
        pageNumber: 1,
        isLastPage: true,
      },
      totals: {
        entryCount: 2,
        creditCount: 1,
        creditSum: 10_000n,
        debitCount: 1,
        debitSum: 3050n,
        bookedNetSum: 6950n,
        currencies: ['HKD'],
      },
    });
  });

  test('are reported for every page', async () => {
    const file = new URL('../fixtures/statements/mt940/hk-two-pages.sta', import.meta.url);
    const pages = await readSummaries(await readFile(file));
    expect(
      pages.map(({ controlTotals }) => [
        controlTotals?.openingBalance?.isIntermediate,
        controlTotals?.isLastPage,
      ]),
    ).toEqual([
      [false, false],
      [true, true],
    ]);
  });
});
