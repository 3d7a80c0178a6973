import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSameAccountNumber } from '../../src/domain/money-in/statement/account-number.ts';
import { checkControlTotals } from '../../src/statement/check-control-totals.ts';
import type { StatementSummary } from '../../src/statement/control-totals.ts';
import { guessCsvMapping } from '../../src/statement/csv-guess.ts';
import type { CsvMapping } from '../../src/statement/csv-mapping.ts';
import { metadataWords } from '../../src/statement/csv-words.ts';
import { readStatement } from '../../src/statement/read-statement.ts';
import { count } from '../setup/counts.ts';
import { csvMapping, toChunks } from '../setup/statement-files.ts';

const folder = new URL('../fixtures/statements/', import.meta.url);
const today = '2026-11-21';

async function readTable(
  content: string | Uint8Array,
  { currency = 'HKD', mapping }: { currency?: string; mapping?: CsvMapping } = {},
): Promise<{ accounts: (string | undefined)[]; summary: StatementSummary }> {
  const guess = mapping ? { mapping } : await guessCsvMapping(() => toChunks(content), { currency, today });
  const csv = { mapping: guess.mapping, currency, today };
  const summaries: StatementSummary[] = [];
  const onStatement = (summary: StatementSummary) => summaries.push(summary);
  const entries = await Array.fromAsync(readStatement(toChunks(content, 100), { csv, onStatement }));
  expect(summaries).toHaveLength(1);
  return { accounts: [...new Set(entries.map(({ accountId }) => accountId))], summary: summaries[0]! };
}

describe('the rows above a table', () => {
  test.each([
    ['csv/hk-business.csv', 'HKD', 1, '012-345-6-789012'],
    ['csv/id-comma.csv', 'IDR', 2, '1234567890'],
    ['csv/id-no-year.csv', 'IDR', 3, '1234567890'],
    ['csv/my-numbered-refs.csv', 'MYR', 1, '514012345678'],
    ['csv/nz-unique-id.csv', 'NZD', 2, '0123456-50'],
    ['csv/sg-lines-in-field.csv', 'SGD', 2, '1234567890'],
    ['csv/sg-text-below.csv', 'SGD', 1, '123-456789-001'],
    ['csv/sg-three-refs.csv', 'SGD', 1, '123-45678-9'],
    ['csv/sg-two-descriptions.csv', 'SGD', 1, '072-123456-7'],
    ['csv/th-short-buddhist.csv', 'THB', 3, '123-4-56789-0'],
    ['presets/cn-icbc.csv', 'CNY', 3, '1234****9876'],
    ['presets/sg-ocbc.csv', 'SGD', 1, '666-666666-666'],
    ['presets/sg-ocbc-cards.csv', 'SGD', 1, '1111-1111-1111-1111'],
  ])('of %s (%s) name the account on line %i', async (name, currency, line, accountId) => {
    const { accounts, summary } = await readTable(await readFile(new URL(name, folder)), { currency });
    expect([accounts, summary.line, summary.accountId]).toEqual([[accountId], line, accountId]);
    expect(checkControlTotals([summary])).toEqual([]);
  });

  test('name the account under every label, in every layout', async () => {
    const digits = fc.stringMatching(/^[3-9]\d{7,15}$/);
    const number = fc.oneof(
      digits,
      digits.map((text) => text.replace(/(\d{3})(?=\d)/g, '$1-')),
      digits.map((text) => text.replace(/(\d{4})(?=\d)/g, '$1 ')),
      digits.map((text) => `${'*'.repeat(text.length - 4)}${text.slice(-4)}`),
      digits.map((text) => `xxx-x-${text.slice(-5, -1)}-x`),
      digits.map((text) => `GB82WEST${text}`),
    );
    const layout = fc.constantFrom<(label: string, number: string) => string>(
      (label, text) => `${label},${text}`,
      (label, text) => `${label}:,${text},HKD Savings`,
      (label, text) => `"","${label} : ","${text}"`,
      (label, text) => `Bank 12; ${label} ${text} (Everyday)`,
      (label, text) => `${label.toUpperCase()}：${text}`,
      (label, text) => `${label} / Account No.,,${text}`,
    );
    const words = fc.constantFrom(...metadataWords.account, ...metadataWords.ambiguousAccount);
    await fc.assert(
      fc.asyncProperty(words, layout, number, async (word, toRow, accountId) => {
        const content = `Test Ltd,,\n${toRow(word, accountId)}\n\nDate,Amount,Text\n2026-11-20,1.00,x\n`;
        const { accounts } = await readTable(content, { mapping: csvMapping({ skipLines: 3 }) });
        expect(accounts).toEqual([accountId.normalize('NFKC')]);
      }),
      { numRuns: count(60, 2_000) },
    );
  });

  test.each([
    ['two numbers', 'Account Number,11112222\nAccount No.,33334444'],
    ['an amount', 'Account,1234567.00'],
    ['a day', 'Account No.,2026-11-20'],
    ['a number in scientific notation', 'Account Number,5.14012E+11'],
    ['zeros', 'Account Number,000-0-000000'],
    ['the type of the account', 'Account Type: 12345678,x'],
    ['a masked number without digits', 'Account Number,********'],
  ])('name no account with %s', async (_, rows) => {
    const content = `${rows}\nDate,Amount,Text\n2026-11-20,1.00,x\n`;
    const skipLines = rows.split('\n').length;
    const { accounts } = await readTable(content, { mapping: csvMapping({ skipLines }) });
    expect(accounts).toEqual([undefined]);
  });

  test('name an account whose number could be a day, if the label is certain', async () => {
    const read = (label: string) =>
      readTable(`${label},20121105\nDate,Amount,Text\n2026-11-20,1.00,x\n`, {
        mapping: csvMapping({ skipLines: 1 }),
      });
    expect((await read('Account Number')).accounts).toEqual(['20121105']);
    expect((await read('Account')).accounts).toEqual([undefined]);
  });

  test('name the account of a table without movements', async () => {
    const content = 'Account Number,11112222\nDate,Amount,Text\n';
    const { accounts, summary } = await readTable(content, { mapping: csvMapping({ skipLines: 1 }) });
    expect([accounts, summary.accountId]).toEqual([[], '11112222']);
  });

  test('do not replace a column of account numbers', async () => {
    const content = 'Account Number,11112222\nDate,Amount,Text,Account\n2026-11-20,1.00,x,33334444\n';
    const mapping = csvMapping({ skipLines: 1, accountColumn: 'Account' });
    const { accounts, summary } = await readTable(content, { mapping });
    expect([accounts, summary.accountId]).toEqual([['33334444'], '33334444']);
  });

  test('name the currency of a table that has no column of currencies', async () => {
    const content = 'Currency,US$\nDate,Amount,Text,Ccy\n2026-11-20,1.00,x,HKD\n';
    const named = await readTable(content, { mapping: csvMapping({ skipLines: 1 }) });
    expect(named.summary.accountCurrency).toBe('USD');
    const mapping = csvMapping({ skipLines: 1, currencyColumn: 'Ccy' });
    expect((await readTable(content, { mapping })).summary).not.toHaveProperty('accountCurrency');
  });
});

describe('the balances and sums above and below a table', () => {
  const file = (above: string, below: string, middle = '') =>
    `Period,01/11/2026 - 20/11/2026\n${above}\nDate,Amount,Text\n2026-11-18,100.00,x\n${middle}2026-11-19,-30.00,y\n${below}`;
  const readControlTotals = async (content: string, change: Partial<CsvMapping> = {}) => {
    const mapping = csvMapping({ skipLines: 2, dateOrder: 'dmy', ...change });
    const { summary } = await readTable(content, { mapping });
    const { openingBalance, closingBalance, creditSum, debitSum } = summary.controlTotals ?? {};
    return {
      figures: [openingBalance?.minor, closingBalance?.minor, creditSum, debitSum],
      days: [openingBalance?.on, closingBalance?.on],
      differences: checkControlTotals([summary]).map(({ kind, expected, actual }) => [
        kind,
        expected,
        actual,
      ]),
    };
  };

  test('are compared with the entries', async () => {
    const below = 'Mutasi Kredit,:,100.00\nTotal Debits,30.00,\nSaldo Akhir,=,"1,070.00"\n';
    expect(await readControlTotals(file('Opening Balance as at 01/11/2026,"1,000.00"', below))).toEqual({
      figures: [100_000n, 107_000n, 10_000n, 3_000n],
      days: ['2026-11-01', '2026-11-20'],
      differences: [],
    });
    const wrong = below.replace('70.00', '90.00').replace('100.00', '120.00');
    expect((await readControlTotals(file('Opening Balance: 1000.00', wrong))).differences).toEqual([
      ['credit_sum', '12000', '10000'],
      ['closing_balance', '109000', '107000'],
    ]);
    expect(
      (await readControlTotals(file('Opening Balance,200.00,DR', 'Closing Balance,(130.00)\n'))).figures,
    ).toEqual([-20_000n, -13_000n, undefined, undefined]);
  });

  test('are those of a file whose balance column begins later', async () => {
    // The first movement, of 5.00, is missing.
    const content =
      'Date,Amount,Text,Balance\n2026-11-17,,Balance b/f,1000.00\n2026-11-18,100.00,x,1105.00\n2026-11-19,-30.00,y,1075.00\n';
    const { differences } = await readControlTotals(content, { skipLines: 0, balanceColumn: 'Balance' });
    expect(differences).toEqual([['closing_balance', '107500', '107000']]);
  });

  test.each([
    ['a page ends between movements', file('', 'Closing Balance,1.00\n', 'Closing Balance,1.00,\n'), {}],
    ['they contradict each other', file('Closing Balance,2.00', 'Closing Balance,1.00\n'), {}],
    ['they have too many decimals', file('Opening Balance,1.001', ''), {}],
    ['a movement is pending', file('', 'Closing Balance,1.00\n', 'PEND,5.00,z\n'), {}],
    ['credits are negative', file('', 'Closing Balance,1.00\n'), { isCreditNegative: true }],
  ])('are not used if %s', async (_, content, change) => {
    expect((await readControlTotals(content, change)).figures).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('a masked account number', () => {
  test('is the same as a number with the same visible digits', () => {
    const number = fc.stringMatching(/^[1-9]\d{9,19}$/);
    const mask = fc.constantFrom('*', 'X', 'x', '•', '#', '＊');
    const visible = fc.record({ start: fc.nat(4), end: fc.integer({ min: 3, max: 5 }), length: fc.nat(9) });
    fc.assert(
      fc.property(number, mask, visible, (text, sign, { start, end, length }) => {
        const masked = `${text.slice(0, start)}${sign.repeat(length + 2)}${text.slice(-end)}`;
        const last = Number(text.at(-1));
        const other = `${text.slice(0, -1)}${(last + 1) % 10}`;
        expect(isSameAccountNumber(masked, text)).toBe(true);
        expect(isSameAccountNumber(text, masked)).toBe(true);
        expect(isSameAccountNumber(masked, masked)).toBe(true);
        expect(isSameAccountNumber(masked, other)).toBe(false);
        expect(isSameAccountNumber(masked, `${sign.repeat(5)}${other.slice(-end)}`)).toBe(false);
      }),
      { numRuns: count(300, 20_000) },
    );
  });

  test.each([
    ['xxx-x-x5678-x', '012-3-45678-9', true],
    ['xxx-x-x5678-x', '012-3-45679-9', false],
    ['****1234', '1234', true],
    ['****1234', '99991234', true],
    ['****1234', '99991235', false],
    ['6222****9876', '6222020100009876', true],
    ['6222****9876', '6223020100009876', false],
    ['****34', '12345634', false],
    ['****1234', '62**991234', true],
    ['****1234', '62**991235', false],
    ['0012-345678', '12345678', true],
    ['12345', '912345', false],
  ])('%s and %s are the same: %s', (one, other, isSame) => {
    expect(isSameAccountNumber(one, other)).toBe(isSame);
  });

  test('of more than 100 characters is only the same as itself', () => {
    const long = `${'*'.repeat(60_000)}123456`;
    expect(isSameAccountNumber(long, long)).toBe(true);
    expect(isSameAccountNumber(long, '123456')).toBe(false);
    expect(isSameAccountNumber('123456', long)).toBe(false);
  });
});
