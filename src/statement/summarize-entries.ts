import { addToTotals, createTotals, type StatementListener } from './control-figures.ts';
import { createRunningBalance } from './running-balance.ts';
import type { StatementEntry } from './statement-entry.ts';

/**
 * Yields the entries of a table. At its end, reports their sums, and the opening and closing balance if the table has
 * a balance column.
 */
export async function* summarizeEntries(
  entries: AsyncIterable<StatementEntry>,
  onStatement: StatementListener | undefined,
): AsyncGenerator<StatementEntry> {
  const totals = createTotals();
  const balance = createRunningBalance();
  let line: number | undefined;
  for await (const entry of entries) {
    line ??= entry.line;
    addToTotals(totals, entry);
    balance.add(entry);
    yield entry;
  }
  const runningBalance = balance.getResult();
  const { openingBalance, closingBalance } = runningBalance ?? {};
  onStatement?.({
    kind: 'csv',
    line: line ?? 1,
    totals,
    // Without a consistent column, neither balance is known.
    ...(openingBalance &&
      closingBalance && {
        controlFigures: { openingBalance, closingBalance, currency: openingBalance.currency },
      }),
    ...(runningBalance && { runningBalance }),
  });
}
