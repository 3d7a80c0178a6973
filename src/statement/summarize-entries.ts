import {
  addToTotals,
  createTotals,
  type StatementListener,
  type StatementSummary,
  type StatementTotals,
} from './control-figures.ts';
import { invalidStatementError } from './invalid-statement.ts';
import { createRunningBalance } from './running-balance.ts';
import type { StatementEntry } from './statement-entry.ts';

/** More accounts are not in one table, so the mapping names a wrong column. */
const accountsMax = 1_000;

type TableAccount = {
  line: number;
  accountId: string | undefined;
  totals: StatementTotals;
  balance: ReturnType<typeof createRunningBalance>;
};

/**
 * Yields the entries of a table. At its end, reports their sums, and the opening and closing balance if the table has
 * a balance column, for each account in the table. Throws `invalid_statement` if the account column has too many values.
 */
export async function* summarizeEntries(
  entries: AsyncIterable<StatementEntry>,
  onStatement: StatementListener | undefined,
): AsyncGenerator<StatementEntry> {
  const accounts = new Map<string | undefined, TableAccount>();
  for await (const entry of entries) {
    const { accountId, line } = entry;
    const account = accounts.get(accountId) ?? createAccount(accountId, line);
    accounts.set(accountId, account);
    if (accounts.size > accountsMax)
      throw invalidStatementError(line, `the account column has more than ${accountsMax} accounts`);
    addToTotals(account.totals, entry);
    account.balance.add(entry);
    yield entry;
  }
  if (accounts.size === 0) accounts.set(undefined, createAccount(undefined, 1));
  for (const account of accounts.values()) onStatement?.(toSummary(account));
}

function createAccount(accountId: string | undefined, line: number): TableAccount {
  return { line, accountId, totals: createTotals(), balance: createRunningBalance() };
}

function toSummary({ line, accountId, totals, balance }: TableAccount): StatementSummary {
  const runningBalance = balance.getResult();
  const { openingBalance, closingBalance } = runningBalance ?? {};
  return {
    kind: 'csv',
    line,
    ...(accountId !== undefined && { accountId }),
    totals,
    // Without a consistent column, neither balance is known.
    ...(openingBalance &&
      closingBalance && {
        controlFigures: { openingBalance, closingBalance, currency: openingBalance.currency },
      }),
    ...(runningBalance && { runningBalance }),
  };
}
