import type { CsvColumns } from './csv-columns.ts';
import { isAmountCell, isDateCell } from './csv-guess-values.ts';
import { foldCell, isMovementHeader } from './csv-header.ts';
import type { CsvMapping } from './csv-mapping.ts';
import { type CsvCellReader, countAmounts } from './csv-movement.ts';
import type { CsvRecord } from './csv-records.ts';
import { pendingWords, summaryWords } from './csv-words.ts';
import { invalidStatementError } from './invalid-statement.ts';

/**
 * `movement`: a row with a date, or one whose unreadable date or amount is an error. `pending`: a movement that is
 * not booked. `other`: a total, a note or a repeated header.
 */
type CsvRowKind = 'movement' | 'pending' | 'other';

/**
 * Decides by its content whether a row is a movement, so that a total or a note is never read as one, and a
 * movement is never skipped. Throws `invalid_statement` for a row that cannot be classified.
 */
export function classifyCsvRow(
  record: CsvRecord,
  options: { mapping: CsvMapping; columns: CsvColumns; isDate: boolean; isFooter: boolean },
): CsvRowKind {
  const { cells, line } = record;
  const { mapping, columns, isDate, isFooter } = options;
  if (isDate) return 'movement';
  const cell: CsvCellReader = (column) => columns.getCell(cells, column);
  const date = cell(mapping.dateColumn);
  const amountCount = countAmounts(cell, mapping);
  if (pendingValues.has(foldCell(date)) && amountCount !== 0) return 'pending';
  if (isFooter || isSummary(date, cells) || isRepeatedHeader(cells, columns)) return 'other';
  if (isMovementHeader(cells))
    throw invalidStatementError(line, 'another table begins here: import it as a file of its own');
  if (amountCount === 0) return 'other';
  if (amountCount === undefined) {
    // A note. If a cell looks like a part of a movement, the row is rejected, because its columns may have shifted.
    if (!cells.some(isAmountCell) && !cells.some(isDateCell)) return 'other';
    return 'movement';
  }
  // Totals of both columns may have no text at all.
  if (amountCount === 2 && !cells.some((cell) => /\p{L}/u.test(cell))) return 'other';
  if (date === '') throw invalidStatementError(line, 'this row has an amount, but no date');
  return 'movement';
}

const pendingValues = new Set(pendingWords.map(foldCell));

const summaryPattern = new RegExp(
  `^(?:${summaryWords.map((word) => foldCell(word).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})(?![\\p{sc=Latin}\\p{M}])`,
  'u',
);

/**
 * Returns whether a row begins like a total or a balance. If the date column has digits, only this column decides,
 * because a payer's text may begin with such a word.
 */
function isSummary(date: string, cells: string[]): boolean {
  const text = /\d/.test(date) ? date : (cells.find((cell) => /\p{L}/u.test(cell)) ?? '');
  return summaryPattern.test(foldCell(text.slice(0, 100)).replace(/^[^\p{L}\d]+/u, ''));
}

function isRepeatedHeader(cells: string[], { header }: CsvColumns): boolean {
  return header?.every((cell, index) => foldCell(cell) === foldCell(cells[index] ?? '')) ?? false;
}
