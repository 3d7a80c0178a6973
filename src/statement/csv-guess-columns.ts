import { isAmountCell, isDateCell, isNegativeCell } from './csv-guess-values.ts';
import type { CsvMapping } from './csv-mapping.ts';
import type { CsvRecord } from './csv-records.ts';
import { bookedValues, creditValues, debitValues, type HeaderRole } from './csv-words.ts';
import { withoutPlaceholder } from './statement-text.ts';

type HeaderColumns = { cells: string[]; roles: Map<HeaderRole, string[]> };
type GuessedColumns = Omit<
  CsvMapping,
  | 'encoding'
  | 'delimiter'
  | 'skipLines'
  | 'hasHeader'
  | 'footerRows'
  | 'decimalMark'
  | 'dateOrder'
  | 'hasBuddhistYears'
>;

/** Guesses the columns from their headers, unless the values contradict the headers. */
export function guessColumnsByHeader(
  { cells: header, roles }: HeaderColumns,
  rows: CsvRecord[],
): GuessedColumns {
  const first = (role: HeaderRole) => roles.get(role)?.[0];
  if (!first('date')) return guessColumnsByValues(rows);
  const optional = (role: HeaderRole) => {
    const column = first(role);
    return column === undefined ? {} : { [`${role}Column`]: column };
  };
  const getValues = (column: string | undefined) => listValues(rows, findColumnIndex(header, column));
  // References that repeat do not identify a movement, so their column is treated as text.
  const bankReferences = getValues(first('bankReference')).filter(
    (value) => withoutPlaceholder(value) !== undefined,
  );
  const isUnique = new Set(bankReferences).size === bankReferences.length;
  const texts = roles.get('references') ?? [];
  return {
    ...guessAmountColumns({ cells: header, roles }, rows),
    dateColumn: first('date') ?? '#1',
    ...optional('time'),
    ...optional('valueDate'),
    ...optional('currency'),
    referenceColumns: isUnique ? texts : [...texts, ...(roles.get('bankReference') ?? [])],
    ...optional('payerName'),
    ...optional('payerAccount'),
    ...optional('balance'),
    ...(isUnique && optional('bankReference')),
    ...(roles.has('status') && { ...optional('status'), bookedValues }),
  };
}

/** Guesses how rows express amount and direction: separate columns, a direction column or a sign. */
function guessAmountColumns({ cells: header, roles }: HeaderColumns, rows: CsvRecord[]) {
  const [creditColumn, debitColumn] = [roles.get('credit')?.[0], roles.get('debit')?.[0]];
  if (creditColumn !== undefined)
    return { amountFormat: 'separate_columns' as const, creditColumn, ...(debitColumn && { debitColumn }) };
  const amountColumn = roles.get('amount')?.[0] ?? '#2';
  const isSigned = listValues(rows, findColumnIndex(header, amountColumn)).some(isNegativeCell);
  const namedIndex = findColumnIndex(header, roles.get('direction')?.[0]);
  const directionIndex = isSigned
    ? -1
    : [namedIndex, ...header.keys()].find((index) =>
        isDirectionColumn(listValues(rows, index), { isNamed: index === namedIndex }),
      );
  if (directionIndex === undefined || directionIndex === -1)
    return { amountFormat: 'signed' as const, amountColumn };
  return {
    amountFormat: 'direction_column' as const,
    amountColumn,
    directionColumn: toColumnName(header, directionIndex),
    creditValues,
    debitValues,
  };
}

/**
 * Returns whether all values are credit or debit words. A column without a direction header must contain
 * both.
 */
function isDirectionColumn(values: string[], { isNamed }: { isNamed: boolean }): boolean {
  const countMatches = (words: string[]) =>
    values.filter((value) => words.includes(value.toLowerCase())).length;
  const [credits, debits] = [countMatches(creditValues), countMatches(debitValues)];
  return values.length > 0 && credits + debits === values.length && (isNamed || (credits > 0 && debits > 0));
}

/** Guesses the columns of a file without known headers from what most of their values look like. */
export function guessColumnsByValues(rows: CsvRecord[]): GuessedColumns {
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  const indexes = Array.from({ length: width }, (_, index) => index);
  const isMostly = (index: number, test: (cell: string) => boolean) => {
    const values = listValues(rows, index);
    return values.length > 0 && values.filter(test).length > values.length * 0.6;
  };
  const date = indexes.find((index) => isMostly(index, isDateCell)) ?? 0;
  const amounts = indexes.filter((index) => index !== date && isMostly(index, isAmountCell));
  const isText = (cell: string) => /\p{L}{2}/u.test(cell) && !isDateCell(cell) && !isAmountCell(cell);
  const texts = indexes.filter((index) => index !== date && isMostly(index, isText));
  // Of several columns with amounts, the one with negative values is chosen; the others are balances. If two columns
  // without negative values alternate, it is unknown which has the credits. Then a text column is chosen, which cannot
  // be parsed as an amount, so that a person has to choose.
  const signed = amounts.find((index) => listValues(rows, index).some(isNegativeCell));
  const amount = signed ?? (isAlternating(rows, amounts) ? texts[0] : amounts[0]) ?? 1;
  return {
    amountFormat: 'signed',
    amountColumn: `#${amount + 1}`,
    dateColumn: `#${date + 1}`,
    referenceColumns: texts.map((index) => `#${index + 1}`),
  };
}

/** Returns whether no row has an amount in both of the first two columns. */
function isAlternating(rows: CsvRecord[], [one, other]: number[]): boolean {
  if (one === undefined || other === undefined) return false;
  return rows.every(({ cells }) => !cells[one] || !cells[other]);
}

function listValues(rows: CsvRecord[], index: number): string[] {
  return rows.flatMap(({ cells }) => cells[index]?.trim() || []);
}

function findColumnIndex(header: string[], column: string | undefined): number {
  if (column === undefined) return -1;
  const [, number] = /^#(\d+)$/.exec(column) ?? [];
  return number === undefined ? header.indexOf(column) : Number(number) - 1;
}

/** Returns the header of a column, or its number if the header is empty or not unique. */
function toColumnName(header: string[], index: number): string {
  const name = header[index] ?? '';
  return name === '' || header.indexOf(name) !== header.lastIndexOf(name) ? `#${index + 1}` : name;
}
