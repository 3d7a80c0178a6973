import { foldCell } from './csv-header.ts';
import type { CsvMapping } from './csv-mapping.ts';
import type { CsvRecord } from './csv-records.ts';
import { invalidStatementError } from './invalid-statement.ts';

/** The columns of a file, located by its mapping. */
export type CsvColumns = {
  /** Returns the cell of a column; an empty text if the column is not mapped or the row is too short. */
  getCell: (cells: string[], column: string | undefined) => string;
  /** The indexes of the mapped columns. */
  mappedIndexes: ReadonlySet<number>;
  /** The index of the last column with an amount. */
  lastAmountIndex: number;
  /** The header, if the file has one. */
  header: string[] | undefined;
  /** Whether the last column of the header has text of the payer, so that unquoted delimiters in it do no harm. */
  endsWithText: boolean;
};

/**
 * Locates the mapped columns by their heading or number. Throws `invalid_statement` with the header's line if a
 * column is missing or ambiguous.
 */
export function locateCsvColumns(mapping: CsvMapping, header: CsvRecord | undefined): CsvColumns {
  const { dateColumn, referenceColumns } = mapping;
  const amountColumns = listAmountColumns(mapping);
  const otherColumns = [
    mapping.amountFormat === 'direction_column' ? mapping.directionColumn : undefined,
    mapping.timeColumn,
    mapping.valueDateColumn,
    mapping.currencyColumn,
    mapping.accountColumn,
    mapping.payerNameColumn,
    mapping.payerAccountColumn,
    mapping.bankReferenceColumn,
    mapping.balanceColumn,
    mapping.statusColumn,
  ];
  const indexes = new Map<string, number>();
  for (const name of [dateColumn, ...amountColumns, ...referenceColumns, ...otherColumns]) {
    if (name !== undefined) indexes.set(name, findColumnIndex(name, header));
  }
  const cells = header?.cells;
  return {
    getCell: (row, column) => (column === undefined ? '' : (row[indexes.get(column) ?? -1] ?? '')),
    mappedIndexes: new Set(indexes.values()),
    lastAmountIndex: Math.max(...amountColumns.map((name) => indexes.get(name) ?? -1)),
    header: cells,
    endsWithText: referenceColumns.some(
      (name) => indexes.get(name) === (cells ? withoutBlankEnd(cells).length : 0) - 1,
    ),
  };
}

function listAmountColumns(mapping: CsvMapping): string[] {
  const { amountFormat, amountColumn, creditColumn, debitColumn } = mapping;
  const columns = amountFormat === 'separate_columns' ? [creditColumn, debitColumn] : [amountColumn];
  return columns.filter((column) => column !== undefined);
}

export function withoutBlankEnd(cells: string[]): string[] {
  return cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1);
}

function findColumnIndex(column: string, header: CsvRecord | undefined): number {
  const name = foldCell(column);
  const indexes = header?.cells.flatMap((cell, index) => (foldCell(cell) === name ? [index] : [])) ?? [];
  if (indexes.length === 1) return indexes[0]!;
  const line = header?.line ?? 1;
  if (indexes.length > 1)
    throw invalidStatementError(line, `the header has the column "${column}" more than once`);
  const [, number] = /^#([1-9]\d{0,2})$/.exec(column) ?? [];
  if (number !== undefined) return Number(number) - 1;
  const reason = header
    ? `the header has no column "${column}"`
    : `without a header, the mapping must name columns by number, such as "#1", not "${column}"`;
  throw invalidStatementError(line, reason);
}
