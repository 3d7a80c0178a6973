import type { ControlTotals, StatementSummary } from './control-totals.ts';

export function isContinued(controlTotals: ControlTotals | undefined): boolean {
  return controlTotals?.isLastPage === false || controlTotals?.closingBalance?.isIntermediate === true;
}

/** Returns the page number, except of MT940: the second number of field 28C is not a page number at every bank. */
export function getReliablePageNumber({
  kind,
  controlTotals,
}: Pick<StatementSummary, 'kind' | 'controlTotals'>): number | undefined {
  return kind === 'mt940' ? undefined : controlTotals?.pageNumber;
}

export function isContinuation(page: Pick<StatementSummary, 'kind' | 'controlTotals'>): boolean {
  return (
    page.controlTotals?.openingBalance?.isIntermediate === true || (getReliablePageNumber(page) ?? 1) > 1
  );
}

/** Returns whether `next` is the page after `page`: by the page numbers, or else by the balance between them. */
function isNextPage(page: StatementSummary, next: StatementSummary): boolean {
  if (!isContinued(page.controlTotals) || !isContinuation(next)) return false;
  if (page.kind !== next.kind || page.accountId !== next.accountId) return false;
  const [number, nextNumber] = [getReliablePageNumber(page), getReliablePageNumber(next)];
  const { statementNumber, closingBalance } = page.controlTotals ?? {};
  const { statementNumber: nextStatementNumber, openingBalance } = next.controlTotals ?? {};
  if (statementNumber !== nextStatementNumber) return false;
  if (number !== undefined && nextNumber !== undefined) return nextNumber === number + 1;
  return closingBalance !== undefined && closingBalance.minor === openingBalance?.minor;
}

/** Sorts the pages of each statement, because archives may contain them in any order. */
export function sortPages(summaries: readonly StatementSummary[]): StatementSummary[] {
  const sorted = new Set<StatementSummary>();
  const hasPageBefore = (summary: StatementSummary) =>
    isContinuation(summary) && summaries.some((page) => !sorted.has(page) && isNextPage(page, summary));
  const addWithNextPages = (summary: StatementSummary) => {
    let page: StatementSummary | undefined = summary;
    while (page) {
      const last: StatementSummary = page;
      sorted.add(last);
      page = summaries.find((candidate) => !sorted.has(candidate) && isNextPage(last, candidate));
    }
  };
  for (const summary of summaries)
    if (!sorted.has(summary) && !hasPageBefore(summary)) addWithNextPages(summary);
  // Only pages that refer to each other in a cycle are left.
  for (const summary of summaries) sorted.add(summary);
  return [...sorted];
}

/**
 * Returns, for each file of an archive that has a page of the same statement as an earlier file, the first such file.
 * Equal lines on two pages are two movements, whereas a separate file may repeat the movements of an earlier one.
 */
export function joinFiles(sortedPages: readonly StatementSummary[]): Record<string, number> {
  const firstFiles = new Map<number, number>();
  const findFirst = (file: number): number => {
    const first = firstFiles.get(file);
    return first === undefined ? file : findFirst(first);
  };
  for (const [index, summary] of sortedPages.entries()) {
    const previous = sortedPages[index - 1];
    if (!previous || !isNextPage(previous, summary)) continue;
    const [one, other] = [findFirst(previous.fileIndex ?? 0), findFirst(summary.fileIndex ?? 0)];
    if (one !== other) firstFiles.set(Math.max(one, other), Math.min(one, other));
  }
  return Object.fromEntries([...firstFiles.keys()].map((file) => [file, findFirst(file)]));
}
