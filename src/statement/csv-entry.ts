import { parseCsvAmount } from './csv-amount.ts';
import { parseCsvDate, parseCsvDay } from './csv-date.ts';
import type { CsvMapping } from './csv-mapping.ts';
import type { CsvRecord } from './csv-records.ts';
import { InvalidStatement, invalidStatement } from './invalid-statement.ts';
import { parseStatementAmount, parseStatementMinor } from './statement-amount.ts';
import type { StatementEntry } from './statement-entry.ts';
import { joinTexts, unwrapLines, withoutPlaceholder, withoutUndefined } from './statement-text.ts';

/** The mapped columns of a file. */
export type CsvColumns = {
  /** Returns the cell of a column; an empty text if the column is not mapped or the row is too short. */
  getCell: (cells: string[], column: string | undefined) => string;
};

/**
 * Locates the mapped columns in the header, or by number if `header` is undefined. Throws `invalid_statement`
 * with the header's line if a column is missing or ambiguous.
 */
export function locateCsvColumns(mapping: CsvMapping, header: CsvRecord | undefined): CsvColumns {
  const indexes = new Map<string, number>();
  const { amountColumn, creditColumn, debitColumn, directionColumn } = mapping;
  const amountColumns = {
    signed: [amountColumn],
    separate_columns: [creditColumn, debitColumn],
    direction_column: [amountColumn, directionColumn],
  }[mapping.amountFormat];
  const otherColumns = [
    mapping.timeColumn,
    mapping.valueDateColumn,
    mapping.currencyColumn,
    mapping.payerNameColumn,
    mapping.payerAccountColumn,
    mapping.bankReferenceColumn,
    mapping.balanceColumn,
    mapping.statusColumn,
  ];
  const { dateColumn, referenceColumns } = mapping;
  for (const name of [dateColumn, ...amountColumns, ...referenceColumns, ...otherColumns]) {
    if (name !== undefined) indexes.set(name, findColumnIndex(name, header));
  }
  return {
    getCell: (cells, column) => (column === undefined ? '' : (cells[indexes.get(column) ?? -1] ?? '')),
  };
}

function findColumnIndex(column: string, header: CsvRecord | undefined): number {
  const fold = (text: string) => text.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase();
  const indexes = header?.cells.flatMap((cell, index) => (fold(cell) === fold(column) ? [index] : [])) ?? [];
  if (indexes.length === 1) return indexes[0]!;
  const line = header?.line ?? 1;
  if (indexes.length > 1)
    throw invalidStatement(line, `the header has the column "${column}" more than once`);
  const [, number] = /^#([1-9]\d{0,2})$/.exec(column) ?? [];
  if (number !== undefined) return Number(number) - 1;
  const reason = header
    ? `the header has no column "${column}"`
    : `without a header, the mapping must name columns by number, such as "#1", not "${column}"`;
  throw invalidStatement(line, reason);
}

/**
 * Converts a row to an entry. Returns undefined for a row without an amount, such as a balance carried
 * forward. Throws `invalid_statement` with the row's line.
 */
export function toCsvEntry(
  { cells, line }: CsvRecord,
  options: { mapping: CsvMapping; columns: CsvColumns; currency: string; today?: string | undefined },
): StatementEntry | undefined {
  const { mapping, columns } = options;
  const cell = (column: string | undefined) => columns.getCell(cells, column);
  const movement = readMovement(cell, mapping, line);
  if (!movement) return undefined;
  const currency = cell(mapping.currencyColumn).normalize('NFKC').toUpperCase() || options.currency;
  const { dateOrder, hasBuddhistYears } = mapping;
  const rules = { dateOrder, hasBuddhistYears, line, today: options.today };
  const valueCell = cell(mapping.valueDateColumn);
  return withoutUndefined<StatementEntry>({
    kind: 'csv',
    direction: movement.isCredit ? 'credit' : 'debit',
    status: isBooked(cell, mapping) ? 'booked' : 'pending',
    isReversal: movement.isReversal,
    isReturned: false,
    amount: parseStatementAmount(movement.text, currency, line),
    transactionCount: 1,
    ...parseCsvDate(cell(mapping.dateColumn), cell(mapping.timeColumn), rules),
    valueOn: valueCell === '' ? undefined : parseCsvDay(valueCell, rules),
    bankReference: withoutPlaceholder(cell(mapping.bankReferenceColumn)),
    reference: joinTexts(mapping.referenceColumns.map((column) => toOneLine(cell(column)))) ?? '',
    balanceAfter: readBalance(cell(mapping.balanceColumn), { ...rules, ...mapping, currency }),
    counterpartyName: withoutPlaceholder(toOneLine(cell(mapping.payerNameColumn))),
    counterpartyAccount: withoutPlaceholder(cell(mapping.payerAccountColumn)),
    line,
  });
}

/** Returns the balance of a row in minor units, or undefined if the cell is empty or no amount. */
function readBalance(
  text: string,
  options: { decimalMark: '.' | ','; currency: string; line: number },
): bigint | undefined {
  const { currency, line } = options;
  try {
    const balance = parseCsvAmount(text, options);
    const minor = balance && parseStatementMinor(balance.text, currency, line);
    return minor === undefined || !balance?.isNegative ? minor : -minor;
  } catch (error) {
    if (error instanceof InvalidStatement) return undefined;
    throw error;
  }
}

/**
 * Appends the text of the next row if the row has nothing else, because some banks split long remarks over several
 * rows. Otherwise returns the entry unchanged.
 */
export function appendContinuation(
  entry: StatementEntry,
  { cells }: CsvRecord,
  { mapping, columns }: { mapping: CsvMapping; columns: CsvColumns },
): StatementEntry {
  const texts = mapping.referenceColumns
    .map((column) => toOneLine(columns.getCell(cells, column)))
    .filter(Boolean);
  const hasOnlyText = texts.length > 0 && cells.filter(Boolean).length === texts.length;
  return hasOnlyText ? { ...entry, reference: joinTexts([entry.reference, ...texts]) ?? '' } : entry;
}

type CellReader = (column: string | undefined) => string;
type CsvMovement = { text: string; isCredit: boolean; isReversal: boolean };

function readMovement(cell: CellReader, mapping: CsvMapping, line: number): CsvMovement | undefined {
  const read = (column: string | undefined) =>
    parseCsvAmount(cell(column), { decimalMark: mapping.decimalMark, line });
  if (mapping.amountFormat === 'separate_columns') {
    const credit = ignoreZero(read(mapping.creditColumn));
    const debit = ignoreZero(read(mapping.debitColumn));
    if (credit && debit) throw invalidStatement(line, 'this row has both a credit and a debit');
    // A negative credit is a reversal. Debits may or may not have a sign.
    if (credit) return { text: credit.text, isCredit: !credit.isNegative, isReversal: credit.isNegative };
    return debit && { text: debit.text, isCredit: false, isReversal: false };
  }
  const amount = read(mapping.amountColumn);
  if (!amount) return undefined;
  if (mapping.amountFormat === 'signed') {
    return {
      text: amount.text,
      isCredit: amount.isNegative === (mapping.isCreditNegative ?? false),
      isReversal: false,
    };
  }
  const isCredit = isCreditDirection(cell(mapping.directionColumn), mapping, line);
  return {
    text: amount.text,
    isCredit: isCredit && !amount.isNegative,
    isReversal: isCredit && amount.isNegative,
  };
}

/** Throws for an unknown value, because incoming money must never be read as outgoing. */
function isCreditDirection(text: string, mapping: CsvMapping, line: number): boolean {
  const matches = (words: string[] = []) => words.some((word) => foldValue(word) === foldValue(text));
  if (matches(mapping.creditValues)) return true;
  if (matches(mapping.debitValues)) return false;
  throw invalidStatement(
    line,
    `"${text.slice(0, 40)}" is in neither creditValues nor debitValues of the mapping`,
  );
}

function ignoreZero(amount: { text: string; isNegative: boolean } | undefined) {
  return amount && /[1-9]/.test(amount.text) ? amount : undefined;
}

function isBooked(cell: CellReader, { statusColumn, bookedValues = [] }: CsvMapping): boolean {
  if (statusColumn === undefined) return true;
  const statusValue = foldValue(cell(statusColumn));
  return bookedValues.some((word) => foldValue(word) === statusValue);
}

function foldValue(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase();
}

function toOneLine(text: string): string {
  return unwrapLines(text).trim();
}
