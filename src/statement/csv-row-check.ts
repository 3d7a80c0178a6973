import { getMinorDigits } from '../kit/currency.ts';
import { tryParseCsvAmount } from './csv-amount.ts';
import { type CsvColumns, withoutBlankEnd } from './csv-columns.ts';
import { parseCsvDate } from './csv-date.ts';
import { isDateCell } from './csv-guess-values.ts';
import type { CsvMapping } from './csv-mapping.ts';
import { countAmounts } from './csv-movement.ts';
import type { CsvRecord } from './csv-records.ts';
import { InvalidStatement, invalidStatementError } from './invalid-statement.ts';

/**
 * Creates a function that checks the fields of each row in turn and returns the row. It throws `invalid_statement` for
 * more fields than the header has, because an unquoted delimiter may have shifted the amounts, and for a last row that
 * is cut.
 */
export function createRowChecker({ mapping, currency }: { mapping: CsvMapping; currency: string }) {
  let usualWidth = 0;
  let usualDecimals: number | undefined;
  return (record: CsvRecord, columns: CsvColumns): CsvRecord => {
    const checked = mergeExtraFields(record, columns);
    const { cells, line, unterminated } = checked;
    const amount = cells[columns.lastAmountIndex] ?? '';
    if (unterminated) {
      const width = columns.header?.length ?? usualWidth;
      if (isCutRow(cells, { width, columns, mapping }))
        throw invalidStatementError(line, 'the file ends inside this row: it is truncated');
      const isLast = columns.lastAmountIndex >= cells.length - 1;
      if (unterminated === 'bare' && isLast && isCutAmount(cells, columns)) {
        throw invalidStatementError(
          line,
          'the file may end inside this amount; if the amount is complete, add a line break after it',
        );
      }
    }
    usualWidth = Math.max(usualWidth, withoutBlankEnd(cells).length);
    usualDecimals ??= countDecimals(amount);
    return checked;
  };

  function isCutAmount(cells: string[], columns: CsvColumns): boolean {
    const cell = (column: string | undefined) => columns.getCell(cells, column);
    if (!/\d/.test(cell(mapping.dateColumn))) return false;
    const amount = cells[columns.lastAmountIndex] ?? '';
    if (amount === '') return countAmounts(cell, mapping) === 0;
    const expected = usualDecimals ?? getMinorDigits(currency);
    return expected === 0 || countDecimals(amount) !== expected;
  }

  function countDecimals(amount: string): number | undefined {
    const parsed = tryParseCsvAmount(amount, mapping.decimalMark);
    return parsed ? (parsed.text.split('.')[1] ?? '').length : undefined;
  }
}

/** Returns whether a row without a line break is shorter than the others, and not a note. */
function isCutRow(
  cells: string[],
  { width, columns, mapping }: { width: number; columns: CsvColumns; mapping: CsvMapping },
): boolean {
  if (cells.length >= width) return false;
  const isNote = cells.filter(Boolean).length === 1 && /^\D.*\s|^[\p{L}*=.-]+$/u.test(cells[0] ?? '');
  return !isNote || isDateCell(columns.getCell(cells, mapping.dateColumn));
}

/** Joins the fields beyond the header to its last column if that has text. */
function mergeExtraFields(record: CsvRecord, { header, endsWithText }: CsvColumns): CsvRecord {
  const cells = withoutBlankEnd(record.cells);
  if (!header || record.hasFixedColumns || cells.length <= header.length) return record;
  if (!endsWithText) {
    throw invalidStatementError(
      record.line,
      `this row has ${cells.length} fields, but the header has ${header.length}: its columns may have shifted`,
    );
  }
  const last = withoutBlankEnd(header).length - 1;
  return { ...record, cells: [...cells.slice(0, last), cells.slice(last).join(' ')] };
}

/**
 * Throws for a row above the table that is a movement, because a file may have fewer lines there than the previous
 * one.
 */
export function checkSkippedRows(
  rows: readonly CsvRecord[],
  columns: CsvColumns,
  { mapping, today }: { mapping: CsvMapping; today: string | undefined },
): void {
  const { dateOrder, hasBuddhistYears } = mapping;
  for (const { cells, line } of rows) {
    const cell = (column: string | undefined) => columns.getCell(cells, column);
    if (!countAmounts(cell, mapping)) continue;
    try {
      parseCsvDate(cell(mapping.dateColumn), '', { dateOrder, hasBuddhistYears, line, today });
    } catch (error) {
      if (error instanceof InvalidStatement) continue;
      throw error;
    }
    throw invalidStatementError(
      line,
      'this row has a date and an amount, but the mapping skips it: correct skipLines',
    );
  }
}
