import { locateCsvColumns } from './csv-columns.ts';
import { appendContinuation, type CsvReadOptions, type CsvRow, toCsvEntry } from './csv-entry.ts';
import { isAmountCell, isDateCell } from './csv-guess-values.ts';
import type { CsvMapping } from './csv-mapping.ts';
import type { CsvRecord } from './csv-records.ts';
import { checkSkippedRows, createRowChecker } from './csv-row-check.ts';
import { invalidStatementError } from './invalid-statement.ts';
import type { StatementEntry } from './statement-entry.ts';
import { readTableRecords } from './table-records.ts';

/**
 * Streams the entries of a table. Skips rows that are not movements; a row with only text extends the text of the
 * entry above it. Throws `invalid_statement` for an invalid row, and also if no row has an amount or amounts are in a
 * column that is not mapped, since the mapping is then wrong.
 */
export async function* readCsv(
  source: AsyncIterable<Uint8Array>,
  { mapping, ...options }: CsvReadOptions,
): AsyncGenerator<StatementEntry> {
  let movementCount = 0;
  let rowCount = 0;
  let pendingEntry: StatementEntry | undefined;
  const unreadAmounts = createUnreadAmountCheck(mapping);
  for await (const row of readCsvRows(source, { mapping, ...options })) {
    rowCount += 1;
    const entry = toCsvEntry(row, { mapping, ...options });
    unreadAmounts.addRow(row, entry);
    if (!entry) {
      pendingEntry &&= appendContinuation(pendingEntry, row, mapping);
      options.metadata?.addRow(row.record);
      continue;
    }
    movementCount += 1;
    options.metadata?.addEntry(entry);
    if (pendingEntry) yield pendingEntry;
    pendingEntry = entry;
  }
  if (pendingEntry) yield pendingEntry;
  if (rowCount > 0 && movementCount === 0) {
    throw invalidStatementError(
      mapping.skipLines + 1,
      'no row has an amount: the mapping does not match this file',
    );
  }
  unreadAmounts.finish();
}

/** Yields the rows below the header. */
export async function* readCsvRows(
  source: AsyncIterable<Uint8Array>,
  { mapping, currency, today, metadata }: CsvReadOptions,
): AsyncGenerator<CsvRow> {
  let columns = mapping.hasHeader ? undefined : locateCsvColumns(mapping, undefined);
  const checkRow = createRowChecker({ mapping, currency });
  const footerBuffer: CsvRecord[] = [];
  const toRow = (record: CsvRecord, isFooter: boolean): CsvRow => ({ record, columns: columns!, isFooter });
  const skippedRows: CsvRecord[] = [];
  const onSkipped = (record: CsvRecord) => {
    skippedRows.push(record);
    metadata?.addRow(record);
  };
  for await (const record of readTableRecords(source, mapping, onSkipped)) {
    const isHeader = columns === undefined;
    columns ??= locateCsvColumns(mapping, record);
    checkSkippedRows(skippedRows.splice(0), columns, { mapping, today });
    if (isHeader) continue;
    footerBuffer.push(checkRow(record, columns));
    if (footerBuffer.length > mapping.footerRows) yield toRow(footerBuffer.shift()!, false);
  }
  if (!columns) throw invalidStatementError(mapping.skipLines + 1, 'the file ends before its header');
  checkSkippedRows(skippedRows, columns, { mapping, today });
  for (const record of footerBuffer) yield toRow(record, true);
}

/**
 * Detects a column of amounts that the mapping does not read: its amounts are only in rows with a date and no mapped
 * amount, which would be dropped. Balances, fees and foreign amounts are also in rows with a mapped amount.
 */
function createUnreadAmountCheck({ dateColumn }: CsvMapping) {
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
