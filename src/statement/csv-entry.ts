import { parseCsvAmount } from './csv-amount.ts';
import type { CsvColumns } from './csv-columns.ts';
import { toCurrencyCode } from './csv-currency.ts';
import { type CsvDateRules, parseCsvDate, parseCsvDay } from './csv-date.ts';
import { isAmountCell, isDateCell } from './csv-guess-values.ts';
import { foldCell } from './csv-header.ts';
import type { CsvMapping } from './csv-mapping.ts';
import { type CsvCellReader, readMovement } from './csv-movement.ts';
import type { CsvRecord } from './csv-records.ts';
import { classifyCsvRow } from './csv-row-kind.ts';
import { InvalidStatement, withoutUnreadable } from './invalid-statement.ts';
import { parseStatementAmount, parseStatementMinor } from './statement-amount.ts';
import type { StatementEntry } from './statement-entry.ts';
import {
  joinTexts,
  selectOtherTexts,
  unwrapLines,
  withoutPlaceholder,
  withoutUndefined,
} from './statement-text.ts';
import type { TableMetadata } from './table-metadata.ts';

/** A row below the header. */
export type CsvRow = { record: CsvRecord; columns: CsvColumns; isFooter: boolean };

export type CsvReadOptions = {
  mapping: CsvMapping;
  /** The account's currency, which CSV files often omit. */
  currency: string;
  /** The import day, `YYYY-MM-DD`; see `parseCsvDate`. */
  today?: string | undefined;
  /** Receives the rows outside the table, and has the account that they name. */
  metadata?: TableMetadata | undefined;
};

/**
 * Converts a row to an entry. Returns undefined for a row that is not a movement, such as a balance carried
 * forward, a total or a note.
 */
export function toCsvEntry(row: CsvRow, options: CsvReadOptions): StatementEntry | undefined {
  const { mapping, today } = options;
  const { record, columns, isFooter } = row;
  const { cells, line } = record;
  const cell: CsvCellReader = (column) => columns.getCell(cells, column);
  const { dateOrder, hasBuddhistYears } = mapping;
  const rules = { dateOrder, hasBuddhistYears, line, today };
  const date = tryParse(() => parseCsvDate(cell(mapping.dateColumn), cell(mapping.timeColumn), rules));
  const isDate = !(date instanceof InvalidStatement);
  const kind = classifyCsvRow(record, { mapping, columns, isDate, isFooter });
  if (kind === 'other') return undefined;
  const movement = readMovement(cell, mapping, line);
  if (!movement) return undefined;
  if (!isDate && kind === 'movement') throw date;
  const currency = toCurrencyCode(cell(mapping.currencyColumn)) || options.currency;
  const isBooked = kind === 'movement' && isBookedStatus(cell, mapping);
  return withoutUndefined<StatementEntry>({
    kind: 'csv',
    direction: movement.isCredit ? 'credit' : 'debit',
    status: movement.isIgnored ? 'information' : isBooked ? 'booked' : 'pending',
    isReversal: movement.isReversal,
    isReturned: false,
    amount: parseStatementAmount(movement.text, currency, line),
    transactionCount: 1,
    ...(isDate && date),
    valueOn:
      cell(mapping.valueDateColumn) === ''
        ? undefined
        : parseValueDay(cell(mapping.valueDateColumn), rules, kind),
    bankReference: withoutPlaceholder(cell(mapping.bankReferenceColumn)),
    reference: joinTexts(mapping.referenceColumns.map((column) => toOneLine(cell(column)))) ?? '',
    balanceAfter: readBalance(cell(mapping.balanceColumn), { ...mapping, currency, line }),
    otherTexts: selectOtherTexts(listUnmappedTexts(cells, columns), []),
    counterpartyName: withoutPlaceholder(toOneLine(cell(mapping.payerNameColumn))),
    counterpartyAccount: withoutPlaceholder(cell(mapping.payerAccountColumn)),
    accountId:
      mapping.accountColumn === undefined
        ? options.metadata?.getAccount()?.accountId
        : withoutPlaceholder(cell(mapping.accountColumn)),
    line,
  });
}

function tryParse<T>(parse: () => T): T | InvalidStatement {
  try {
    return parse();
  } catch (error) {
    if (error instanceof InvalidStatement) return error;
    throw error;
  }
}

/** A movement that is not booked may have a word such as `PEND` instead of a value date. */
function parseValueDay(text: string, rules: CsvDateRules, kind: string): string | undefined {
  const day = tryParse(() => parseCsvDay(text, rules));
  if (!(day instanceof InvalidStatement)) return day;
  if (kind === 'pending') return undefined;
  throw day;
}

/** The minimum length of a text that may contain a payment reference. */
const textLengthMin = 4;

/** Returns the texts of columns that are not mapped, because any of them may contain the payer's text. */
function listUnmappedTexts(cells: string[], { mappedIndexes }: CsvColumns): string[] {
  return cells
    .filter(
      (cell, index) =>
        !mappedIndexes.has(index) &&
        cell.length >= textLengthMin &&
        /\p{L}/u.test(cell) &&
        !isAmountCell(cell) &&
        !isDateCell(cell),
    )
    .map(toOneLine);
}

/** Returns the balance of a row in minor units, or undefined if the cell is not an amount. */
function readBalance(
  text: string,
  options: { decimalMark: '.' | ','; currency: string; line: number },
): bigint | undefined {
  const { currency, line } = options;
  return withoutUnreadable(() => {
    const balance = parseCsvAmount(text, options);
    const minor = balance && parseStatementMinor(balance.text, currency, line);
    return minor === undefined || !balance?.isNegative ? minor : -minor;
  });
}

/**
 * Appends the text of the next row if the row has nothing else, because some banks split long remarks over several
 * rows. Otherwise returns the entry unchanged.
 */
export function appendContinuation(
  entry: StatementEntry,
  { record: { cells }, columns }: CsvRow,
  mapping: CsvMapping,
): StatementEntry {
  const texts = mapping.referenceColumns
    .map((column) => toOneLine(columns.getCell(cells, column)))
    .filter(Boolean);
  const hasOnlyText = texts.length > 0 && cells.filter(Boolean).length === texts.length;
  return hasOnlyText ? { ...entry, reference: joinTexts([entry.reference, ...texts]) ?? '' } : entry;
}

function isBookedStatus(cell: CsvCellReader, { statusColumn, bookedValues = [] }: CsvMapping): boolean {
  if (statusColumn === undefined) return true;
  const statusValue = foldCell(cell(statusColumn));
  return bookedValues.some((word) => foldCell(word) === statusValue);
}

function toOneLine(text: string): string {
  return unwrapLines(text).trim();
}
