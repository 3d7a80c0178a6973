import { expect } from 'vitest';
import type { Merchant, Mode } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { type JournalLine, readJournal } from '../../src/domain/money-in/books/read-journal.ts';
import { type BookTotals, sumBooks } from '../../src/domain/money-in/books/sum-books.ts';
import { type ReconciliationLine, reconcile } from '../../src/domain/money-in/reconciliation/reconcile.ts';
import { summarizePeriod } from '../../src/domain/payments/charge-list/summarize-period.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { toStaleReads } from '../../src/kit/stale-reads.ts';

type Period = { from: string; to: string };
const years: Period = { from: '2020-01-01', to: '2030-12-31' };

export async function expectBooks(service: Service): Promise<void> {
  for (const merchant of await service.prisma.merchant.findMany()) {
    for (const mode of ['live', 'sandbox'] as const)
      await expectMerchantBooks(service, { merchant, mode, ...years });
  }
}

/** Checks that totals and journal of a period agree with the reconciliation, and that each entry balances. */
export async function expectMerchantBooks(
  service: Service,
  period: Period & { merchant: Merchant; mode: Mode },
): Promise<void> {
  const reads = toStaleReads(service);
  const { lines } = await reconcile(reads, period);
  const totals = await sumBooks(reads, { ...period, grouping: 'period' });
  const active = lines.filter((line) => totals.some(({ currency }) => currency === line.currency));
  const byCurrency = Map.groupBy(active, ({ currency }) => currency);
  expect(totals.map(({ currency }) => currency).sort()).toEqual([...byCurrency.keys()].sort());
  for (const total of totals) expectTotals(total, byCurrency.get(total.currency)!);
  for (const grouping of ['day', 'month'] as const)
    expect(addUp(await sumBooks(reads, { ...period, grouping }))).toEqual(addUp(totals));
  const journal = await readWholeJournal(service, period);
  expectBalancedEntries(journal, lines);
  for (const total of totals) expectJournalTotals(journal, total);
}

/** Checks the totals of the home page for November 2026, in one currency, against the reconciliation. */
export async function expectHomeMetrics(service: Service, { merchant }: NewMerchant): Promise<void> {
  const reads = toStaleReads(service);
  const scope = { merchant, mode: 'live' as const };
  const { lines } = await reconcile(reads, { ...scope, from: '2026-11-01', to: '2026-11-30' });
  const { current, methods } = await summarizePeriod(reads, {
    ...scope,
    ...{ rates: service, days: 30, timeZone: merchant.timeZone },
    now: new Date('2026-11-30T12:00:00Z'),
  });
  const sum = (name: 'matched' | 'refunded') => lines.reduce((all, line) => all + line[name], 0n);
  expect(current.collected.minor).toBe(sum('matched'));
  expect(current.refunded.minor).toBe(sum('refunded'));
  expect(methods.reduce((all, { collected }) => all + collected.money.minor, 0n)).toBe(sum('matched'));
}

function expectTotals(total: BookTotals, lines: readonly ReconciliationLine[]): void {
  const sum = (name: Exclude<keyof ReconciliationLine, 'account' | 'currency'>) =>
    lines.reduce((all, line) => all + line[name], 0n);
  expect(total.net).toBe(sum('closing') - sum('opening'));
  expect(total.unmatched).toBe(sum('exceptions'));
  expect(total.returned).toBe(sum('returned'));
  expect(total.otherIncome).toBe(sum('otherIncoming'));
  expect(total.sales + total.deposits - total.refunds - total.fees).toBe(
    sum('matched') + sum('partial') - sum('refunded') - sum('fees'),
  );
}

const amounts = [
  'sales',
  'deposits',
  'refunds',
  'fees',
  'otherIncome',
  'unmatched',
  'returned',
  'net',
] as const;

function addUp(totals: readonly BookTotals[]) {
  const byCurrency = Map.groupBy(totals, ({ currency }) => currency);
  return new Map(
    [...byCurrency]
      .sort()
      .map(([currency, rows]) => [
        currency,
        amounts.map((name) => rows.reduce((sum, row) => sum + row[name], 0n)),
      ]),
  );
}

/** Checks that the lines of the journal add up to the totals, so that no page lacks or repeats an entry. */
function expectJournalTotals(journal: readonly JournalLine[], total: BookTotals): void {
  const sum = (account: JournalLine['account'], kind?: JournalLine['kind']) =>
    journal
      .filter((line) => line.currency === total.currency && line.account === account)
      .reduce((all, line) => (kind && line.kind !== kind ? all : all + line.amount), 0n);
  expect({
    sales: -sum('sales'),
    deposits: -sum('customer_deposits'),
    refunds: sum('refunds'),
    fees: sum('bank_fees'),
    otherIncome: -sum('other_income'),
    unmatched: -sum('unmatched_receipts'),
    returned: sum('returned_receipts', 'return'),
    net: sum('bank'),
  }).toEqual(Object.fromEntries(amounts.map((name) => [name, total[name]])));
}

/** A page has only a few entries, so that every test reads several pages. */
async function readWholeJournal(
  service: Service,
  period: Period & { merchant: Merchant; mode: Mode },
): Promise<JournalLine[]> {
  const all: JournalLine[] = [];
  let after: string | null = null;
  do {
    const page = await readJournal(toStaleReads(service), { ...period, after, entryCount: 3 });
    all.push(...page.lines);
    after = page.cursor;
  } while (after !== null);
  return all;
}

function expectBalancedEntries(journal: readonly JournalLine[], lines: readonly ReconciliationLine[]) {
  const sum = (postings: readonly JournalLine[]) => postings.reduce((all, { amount }) => all + amount, 0n);
  for (const [entry, postings] of Map.groupBy(journal, ({ id, kind }) => `${id} ${kind}`)) {
    expect(sum(postings), entry).toBe(0n);
    expect(new Set(postings.map(({ currency, day }) => `${currency} ${day}`)).size, entry).toBe(1);
  }
  for (const { account, currency, opening, closing } of lines) {
    const bank = journal.filter(
      (line) =>
        line.account === 'bank' && line.receivingAccountId === account.id && line.currency === currency,
    );
    expect(sum(bank)).toBe(closing - opening);
  }
}
