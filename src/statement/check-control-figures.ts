import type { StatementSummary } from './control-figures.ts';
import { getReliablePageNumber, isContinuation, isContinued } from './statement-pages.ts';

/** A control figure that a statement does not match. Amounts are in minor units of the currency. */
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
    | 'control_total'
    | 'account_count'
    | 'group_count'
    | 'record_count'
    | 'page_missing'
    | 'account_mismatch'
    | 'currency_mismatch'
    | 'continuity';
  /** The line in the file on which the statement, the trailer, or the row of a table begins. */
  line: number;
  /** The figure of the bank or of the recorded data: an amount in minor units, a number or a text. */
  expected: string;
  /** The figure that results from the file. */
  actual: string;
  /** The currency, if `expected` and `actual` are amounts. */
  currency?: string;
};

/** Interim reports list provisional entries, which their balances may or may not contain. */
const interimKinds: ReadonlySet<string> = new Set(['camt.052', 'mt942']);

/** Returns the discrepancies within the statements of one file, whose pages must be sorted. */
export function checkControlFigures(summaries: readonly StatementSummary[]): Discrepancy[] {
  return summaries.flatMap((summary, index) =>
    interimKinds.has(summary.kind)
      ? []
      : [
          ...checkSums(summary),
          ...checkTrailer(summary),
          ...checkRunningBalance(summary),
          ...checkPages(summary, { previous: summaries[index - 1], next: summaries[index + 1] }),
        ],
  );
}

function checkSums({ controlFigures: figures = {}, totals, line }: StatementSummary): Discrepancy[] {
  const { openingBalance, closingBalance } = figures;
  const currency = figures.currency ?? openingBalance?.currency;
  const hasOneCurrency = totals.currencies.every((other) => other === currency);
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

/** Control totals have no currency, because they may be sums over accounts in several currencies. */
function checkTrailer({ trailerFigures = [], line }: StatementSummary): Discrepancy[] {
  return trailerFigures.map(({ kind, expected, actual }) => ({
    kind,
    line,
    expected: String(expected),
    actual: String(actual),
  }));
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
  page: StatementSummary,
  { previous, next }: { previous: StatementSummary | undefined; next: StatementSummary | undefined },
): Discrepancy[] {
  const { controlFigures: figures = {}, line } = page;
  const { pageNumber } = figures;
  const hasReliableNumber = getReliablePageNumber(page) !== undefined;
  const missing = (expected: number, actual: string): Discrepancy => ({
    kind: 'page_missing',
    line,
    expected: String(expected),
    actual,
  });
  const discrepancies: Discrepancy[] = [];
  const before = previous && isContinued(previous.controlFigures) ? previous.controlFigures : undefined;
  if (isContinuation(page) && !before) discrepancies.push(missing(1, String(pageNumber ?? '')));
  if (before?.pageNumber !== undefined && hasReliableNumber && pageNumber !== before.pageNumber + 1)
    discrepancies.push(missing(before.pageNumber + 1, String(pageNumber)));
  if (isContinued(figures) && !next) discrepancies.push(missing((pageNumber ?? 1) + 1, ''));
  return discrepancies;
}
