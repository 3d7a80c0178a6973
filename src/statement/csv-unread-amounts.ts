import type { CsvRow } from './csv-entry.ts';
import { isAmountCell, isDateCell } from './csv-guess-values.ts';
import type { CsvMapping } from './csv-mapping.ts';
import { invalidStatementError } from './invalid-statement.ts';
import type { StatementEntry } from './statement-entry.ts';

/**
 * Detects a column of amounts that the mapping does not read: its amounts are only in rows with a date and no mapped
 * amount, which would be dropped. Balances, fees and foreign amounts are also in rows with a mapped amount.
 */
export function createUnreadAmountCheck({ dateColumn }: CsvMapping) {
  const otherAmounts = new Set<number>();
  const unreadAmounts = new Map<number, { line: number; cell: string }>();

  return {
    addRow({ record: { cells, line }, columns }: CsvRow, entry: StatementEntry | undefined): void {
      const hasAmount = entry !== undefined && entry.amount.minor !== 0n;
      if (!hasAmount && !isDateCell(columns.getCell(cells, dateColumn))) return;
      for (const [index, cell] of cells.entries()) {
        if (columns.mappedIndexes.has(index) || otherAmounts.has(index)) continue;
        if (!/[1-9]/.test(cell) || !isAmountCell(cell)) continue;
        if (hasAmount) otherAmounts.add(index);
        else if (!unreadAmounts.has(index)) unreadAmounts.set(index, { line, cell });
      }
    },
    /** Throws `invalid_statement` for the first row with an amount that is not read. */
    finish(): void {
      for (const [index, { line, cell }] of unreadAmounts) {
        if (otherAmounts.has(index)) continue;
        throw invalidStatementError(
          line,
          `the amount "${cell.slice(0, 40)}" is in column #${index + 1}, which the mapping does not read; if it is a balance, set balanceColumn`,
        );
      }
    },
  };
}
