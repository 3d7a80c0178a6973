import type { ControlFigures, StatementSummary } from './control-figures.ts';

/** What does not add up in a statement. Amounts are in minor units of the currency. */
export type Discrepancy = {
  kind:
    | 'closing_balance'
    | 'running_balance'
    | 'entry_count'
    | 'credit_count'
    | 'debit_count'
    | 'entry_sum'
    | 'credit_sum'
    | 'debit_sum'
    | 'net_sum'
    | 'page_missing'
    | 'account_mismatch'
    | 'currency_mismatch'
    | 'continuity';
  /** The line in the file on which the statement, or the row of a table, begins. */
  line: number;
  /** What the bank, or the recorded data, says: an amount in minor units, a number or a text. */
  expected: string;
  /** What was read. */
  actual: string;
  /** Of the amounts `expected` and `actual`. */
  currency?: string;
};

/** Interim reports list provisional entries, which their balances may or may not contain. */
const interimKinds: ReadonlySet<string> = new Set(['camt.052', 'mt942']);

/** Returns what does not add up within the statements of one file, in file order. */
export function checkControlFigures(summaries: readonly StatementSummary[]): Discrepancy[] {
  return summaries.flatMap((summary, index) =>
    interimKinds.has(summary.kind)
      ? []
      : [
          ...checkSums(summary),
          ...checkRunningBalance(summary),
          ...checkPages(summary, { previous: summaries[index - 1], next: summaries[index + 1] }),
        ],
  );
}

function checkSums({ controlFigures: figures = {}, totals, line }: StatementSummary): Discrepancy[] {
  const { openingBalance, closingBalance } = figures;
  const currency = figures.currency ?? openingBalance?.currency;
  const hasOneCurrency = totals.currencies.every((one) => one === currency);
  const counts = (
    [
      ['entry_count', figures.entryCount, totals.entryCount],
      ['credit_count', figures.creditCount, totals.creditCount],
      ['debit_count', figures.debitCount, totals.debitCount],
    ] as const
  ).flatMap(([kind, expected, actual]): Discrepancy[] =>
    expected === undefined || expected === actual
      ? []
      : [{ kind, line, expected: String(expected), actual: String(actual) }],
  );
  if (currency === undefined || !hasOneCurrency) return counts;
  const sums = (
    [
      ['entry_sum', figures.entrySum, totals.creditSum + totals.debitSum],
      ['credit_sum', figures.creditSum, totals.creditSum],
      ['debit_sum', figures.debitSum, totals.debitSum],
      ['net_sum', figures.netSum, totals.creditSum - totals.debitSum],
      [
        'closing_balance',
        closingBalance?.minor,
        openingBalance === undefined ? closingBalance?.minor : openingBalance.minor + totals.bookedNetSum,
      ],
    ] as const
  ).flatMap(([kind, expected, actual]): Discrepancy[] =>
    expected === undefined || expected === actual
      ? []
      : [{ kind, line, expected: String(expected), actual: String(actual), currency }],
  );
  return [...counts, ...sums];
}

function checkRunningBalance({ runningBalance, controlFigures, line }: StatementSummary): Discrepancy[] {
  if (!runningBalance || runningBalance.breakCount === 0) return [];
  const currency = controlFigures?.openingBalance?.currency;
  return runningBalance.breaks.map(({ line: breakLine, expected, actual }) => ({
    kind: 'running_balance',
    line: breakLine || line,
    expected: String(expected),
    actual: String(actual),
    ...(currency !== undefined && { currency }),
  }));
}

/** Returns whether a page is missing before, between or after the pages in the file. */
function checkPages(
  { kind, controlFigures: figures = {}, line }: StatementSummary,
  { previous, next }: { previous: StatementSummary | undefined; next: StatementSummary | undefined },
): Discrepancy[] {
  const { pageNumber } = figures;
  // The second number of field 28C is not a page number at every bank, but the kind of the balance is reliable.
  const hasReliableNumber = kind !== 'mt940' && pageNumber !== undefined;
  const isContinuation =
    figures.openingBalance?.isIntermediate === true || (hasReliableNumber && pageNumber > 1);
  const missing = (expected: number, actual: string): Discrepancy => ({
    kind: 'page_missing',
    line,
    expected: String(expected),
    actual,
  });
  const discrepancies: Discrepancy[] = [];
  const before = previous && isContinued(previous.controlFigures) ? previous.controlFigures : undefined;
  if (isContinuation && !before) discrepancies.push(missing(1, String(pageNumber ?? '')));
  if (before?.pageNumber !== undefined && hasReliableNumber && pageNumber !== before.pageNumber + 1)
    discrepancies.push(missing(before.pageNumber + 1, String(pageNumber)));
  if (isContinued(figures) && !next) discrepancies.push(missing((pageNumber ?? 1) + 1, ''));
  return discrepancies;
}

/** Returns whether another page follows. */
function isContinued(figures: ControlFigures | undefined): boolean {
  return figures?.isLastPage === false || figures?.closingBalance?.isIntermediate === true;
}
