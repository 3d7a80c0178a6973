import type { StatementSummary } from './control-totals.ts';
import { getReliablePageNumber, isContinuation, isContinued } from './statement-pages.ts';

/**
 * A difference between a file and its control totals, its pages, or the recorded data. Amounts are in minor units
 * of the currency.
 */
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
  /** The value of the bank or of the recorded data: an amount in minor units, a number or a text. */
  expected: string;
  /** The value that results from the file. */
  actual: string;
  /** The currency, if `expected` and `actual` are amounts. */
  currency?: string;
};

/** Interim reports list provisional entries, which their balances may or may not contain. */
const interimKinds: ReadonlySet<string> = new Set(['camt.052', 'mt942']);

/** Returns the discrepancies within the statements of one file, whose pages must be sorted. */
export function checkControlTotals(summaries: readonly StatementSummary[]): Discrepancy[] {
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

function checkSums({ controlTotals = {}, totals, line }: StatementSummary): Discrepancy[] {
  const { openingBalance, closingBalance } = controlTotals;
  const currency = controlTotals.currency ?? openingBalance?.currency;
  const hasOneCurrency = totals.currencies.every((other) => other === currency);
  const counts = (
    [
      ['entry_count', controlTotals.entryCount, totals.entryCount],
      ['credit_count', controlTotals.creditCount, totals.creditCount],
      ['debit_count', controlTotals.debitCount, totals.debitCount],
    ] as const
  ).flatMap(([kind, expected, actual]): Discrepancy[] =>
    expected === undefined || expected === actual
      ? []
      : [{ kind, line, expected: String(expected), actual: String(actual) }],
  );
  if (currency === undefined || !hasOneCurrency) return counts;
  const sums = (
    [
      ['entry_sum', controlTotals.entrySum, totals.creditSum + totals.debitSum],
      ['credit_sum', controlTotals.creditSum, totals.creditSum],
      ['debit_sum', controlTotals.debitSum, totals.debitSum],
      ['net_sum', controlTotals.netSum, totals.creditSum - totals.debitSum],
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

/** The totals of trailers have no currency, because they may be sums over accounts in several currencies. */
function checkTrailer({ trailerTotals = [], line }: StatementSummary): Discrepancy[] {
  return trailerTotals.map(({ kind, expected, actual }) => ({
    kind,
    line,
    expected: String(expected),
    actual: String(actual),
  }));
}

function checkRunningBalance({ runningBalance, controlTotals, line }: StatementSummary): Discrepancy[] {
  if (!runningBalance || runningBalance.breakCount === 0) return [];
  const currency = controlTotals?.openingBalance?.currency;
  return runningBalance.breaks.map(({ line: breakLine, expected, actual }) => ({
    kind: 'running_balance',
    line: breakLine || line,
    expected: String(expected),
    actual: String(actual),
    ...(currency !== undefined && { currency }),
  }));
}

/** Returns a discrepancy for each page that is missing before or after the given one. */
function checkPages(
  page: StatementSummary,
  { previous, next }: { previous: StatementSummary | undefined; next: StatementSummary | undefined },
): Discrepancy[] {
  const { controlTotals = {}, line } = page;
  const { pageNumber } = controlTotals;
  const hasReliableNumber = getReliablePageNumber(page) !== undefined;
  const missing = (expected: number, actual: string): Discrepancy => ({
    kind: 'page_missing',
    line,
    expected: String(expected),
    actual,
  });
  const discrepancies: Discrepancy[] = [];
  const before = previous && isContinued(previous.controlTotals) ? previous.controlTotals : undefined;
  if (isContinuation(page) && !before) discrepancies.push(missing(1, String(pageNumber ?? '')));
  if (before?.pageNumber !== undefined && hasReliableNumber && pageNumber !== before.pageNumber + 1)
    discrepancies.push(missing(before.pageNumber + 1, String(pageNumber)));
  if (isContinued(controlTotals) && !next) discrepancies.push(missing((pageNumber ?? 1) + 1, ''));
  return discrepancies;
}
