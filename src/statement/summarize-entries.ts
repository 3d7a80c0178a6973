import {
  addToTotals,
  createTotals,
  type StatementListener,
  type StatementSummary,
  type StatementTotals,
} from './control-totals.ts';
import { invalidStatementError } from './invalid-statement.ts';
import { createRunningBalance } from './running-balance.ts';
import type { StatementEntry } from './statement-entry.ts';
import type { TableMetadata } from './table-metadata.ts';

/** No table has more accounts than this, so the mapping must refer to a wrong column. */
const accountsMax = 1_000;

type TableAccount = {
  line: number;
  accountId: string | undefined;
  totals: StatementTotals;
  balance: ReturnType<typeof createRunningBalance>;
};

/**
 * Yields the entries of a table. At its end, reports their sums, and the opening and closing balance if the table
 * has a balance column, for each account in the table.
 */
export async function* summarizeEntries(
  entries: AsyncIterable<StatementEntry>,
  options: { onStatement: StatementListener | undefined; metadata: TableMetadata; currency: string },
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
  // The rows outside a table of several accounts do not say which of them they concern.
  const { onStatement, metadata, currency } = options;
  const isSingle = accounts.size === 1;
  for (const account of accounts.values()) {
    const summary = toSummary(account);
    onStatement?.(isSingle ? addMetadata(summary, { metadata, currency }) : summary);
  }
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
    // Without a balance column, neither balance is known.
    ...(openingBalance &&
      closingBalance && {
        controlTotals: { openingBalance, closingBalance, currency: openingBalance.currency },
      }),
    ...(runningBalance && { runningBalance }),
  };
}

/** Adds the data of the rows outside the table. The bank's balances there take precedence over those of the column. */
function addMetadata(
  summary: StatementSummary,
  { metadata, currency }: { metadata: TableMetadata; currency: string },
): StatementSummary {
  const { totals, accountId } = summary;
  const account = metadata.getAccount();
  const accountCurrency = metadata.getCurrency();
  const isSame = account !== undefined && (accountId === undefined || accountId === account.accountId);
  const [entryCurrency = currency, ...others] = totals.currencies;
  const labelledTotals = others.length > 0 ? undefined : metadata.getControlTotals(entryCurrency);
  const controlTotals = labelledTotals && { ...summary.controlTotals, ...labelledTotals };
  return {
    ...summary,
    ...(isSame && { accountId: account.accountId, line: account.line }),
    ...(accountCurrency !== undefined && { accountCurrency }),
    ...(controlTotals && { controlTotals }),
  };
}
