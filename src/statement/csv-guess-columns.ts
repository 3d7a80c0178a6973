import { isCurrencyCell } from './csv-currency.ts';
import { isAmountCell, isDateCell, isNegativeCell, isRowCounter } from './csv-guess-values.ts';
import { type CsvHeader, foldCell, toColumnName } from './csv-header.ts';
import type { CsvMapping } from './csv-mapping.ts';
import type { CsvRecord } from './csv-records.ts';
import {
  bookedValues,
  creditValues,
  debitValues,
  type HeaderRole,
  vagueDirectionHeadings,
} from './csv-words.ts';
import { withoutPlaceholder } from './statement-text.ts';

type GuessedColumns = Pick<CsvMapping, 'amountFormat' | 'dateColumn' | 'referenceColumns'> &
  Partial<
    Omit<
      CsvMapping,
      | 'encoding'
      | 'delimiter'
      | 'skipLines'
      | 'hasHeader'
      | 'footerRows'
      | 'decimalMark'
      | 'dateOrder'
      | 'hasBuddhistYears'
    >
  >;

/** Guesses the columns from their headers, and from their values where the headers are unknown or contradict them. */
export function guessColumnsByHeader({ cells: header, roles }: CsvHeader, rows: CsvRecord[]): GuessedColumns {
  const byValues = guessColumnsByValues(rows, header);
  const first = (role: HeaderRole) => roles.get(role)?.[0];
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
  const texts = roles.get('references') ?? (first('date') ? [] : byValues.referenceColumns);
  const { currencyColumn } = byValues;
  return {
    ...guessAmountColumns({ cells: header, roles }, rows, byValues),
    dateColumn: first('date') ?? byValues.dateColumn,
    ...optional('time'),
    ...optional('valueDate'),
    ...(currencyColumn !== undefined && { currencyColumn }),
    ...optional('currency'),
    referenceColumns: isUnique ? texts : [...texts, ...(roles.get('bankReference') ?? [])],
    ...optional('payerName'),
    ...optional('payerAccount'),
    ...(isOwnAccount(rows, { header, roles }) && optional('account')),
    ...optional('balance'),
    ...(isUnique && optional('bankReference')),
    ...(roles.has('status') && { ...optional('status'), bookedValues }),
  };
}

/**
 * Returns whether the account column has the number of the statement's account. Every movement then has a number, which
 * is always the same unless another column has the payer's account.
 */
function isOwnAccount(
  rows: CsvRecord[],
  { header, roles }: { header: string[]; roles: CsvHeader['roles'] },
): boolean {
  const index = findColumnIndex(header, roles.get('account')?.[0]);
  const movements = rows.filter(({ cells }) => cells.some(isDateCell) && cells.some(isAmountCell));
  const numbers = movements.map(({ cells }) => cells[index]?.trim() ?? '');
  const isSame = numbers.length > 1 && new Set(numbers).size === 1;
  return numbers.every((number) => /\d{4}/.test(number)) && (isSame || roles.has('payerAccount'));
}

type AmountColumns = Pick<GuessedColumns, 'amountFormat'> & Partial<GuessedColumns>;

function pickAmountColumns({ amountFormat, amountColumn, creditColumn, debitColumn }: GuessedColumns) {
  return amountFormat === 'separate_columns' && creditColumn !== undefined
    ? { amountFormat, creditColumn, ...(debitColumn !== undefined && { debitColumn }) }
    : { amountFormat, ...(amountColumn !== undefined && { amountColumn }) };
}

/** Guesses how rows express amount and direction: separate columns, a direction column or a sign. */
function guessAmountColumns(
  { cells: header, roles }: Pick<CsvHeader, 'cells' | 'roles'>,
  rows: CsvRecord[],
  byValues: GuessedColumns,
): AmountColumns {
  const getValues = (column: string | undefined) => listValues(rows, findColumnIndex(header, column));
  const [creditColumn, debitColumn] = [roles.get('credit')?.[0], roles.get('debit')?.[0]];
  if (creditColumn !== undefined)
    return { amountFormat: 'separate_columns', creditColumn, ...(debitColumn && { debitColumn }) };
  const { creditColumn: unnamedCredit } = byValues;
  if (unnamedCredit !== undefined && !roles.has('amount')) return pickAmountColumns(byValues);
  const directionColumn = roles.get('direction')?.[0];
  const hasAmounts = getValues(directionColumn).length > 0 && getValues(directionColumn).every(isAmountCell);
  const amountColumn =
    roles.get('amount')?.[0] ?? (hasAmounts ? directionColumn : byValues.amountColumn) ?? '#2';
  const direction = hasAmounts
    ? undefined
    : findDirectionColumn(header, rows, { amountColumn, directionColumn });
  if (direction === undefined) return { amountFormat: 'signed', amountColumn };
  return {
    amountFormat: 'direction_column',
    amountColumn,
    directionColumn: direction,
    creditValues,
    debitValues,
  };
}

/**
 * Returns the column that says which rows are credits. A heading that clearly names it is enough, even if some of its
 * values are unknown. Under a vague or unknown heading, all values must be known.
 */
function findDirectionColumn(
  header: string[],
  rows: CsvRecord[],
  { amountColumn, directionColumn }: { amountColumn: string; directionColumn: string | undefined },
): string | undefined {
  const isVague = directionColumn !== undefined && vagueDirectionHeadings.includes(foldCell(directionColumn));
  if (directionColumn !== undefined && !isVague) return directionColumn;
  if (listValues(rows, findColumnIndex(header, amountColumn)).some(isNegativeCell)) return undefined;
  const namedIndex = findColumnIndex(header, directionColumn);
  const index = [namedIndex, ...header.keys()].find((column) =>
    isDirectionColumn(listValues(rows, column), { isNamed: column === namedIndex }),
  );
  return index === undefined ? undefined : toColumnName(header, index);
}

/**
 * Returns whether all values are credit or debit words. A column without a direction header must contain
 * both.
 */
function isDirectionColumn(values: string[], { isNamed }: { isNamed: boolean }): boolean {
  const countMatches = (words: string[]) => values.filter((value) => words.includes(foldCell(value))).length;
  const [credits, debits] = [countMatches(creditValues), countMatches(debitValues)];
  return values.length > 0 && credits + debits === values.length && (isNamed || (credits > 0 && debits > 0));
}

/** Guesses the columns from what most of their values look like. Names them by `header`, or by number without one. */
export function guessColumnsByValues(rows: CsvRecord[], header: string[] = []): GuessedColumns {
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  const indexes = Array.from({ length: width }, (_, index) => index);
  const isMostly = (index: number, test: (cell: string) => boolean) => {
    const values = listValues(rows, index);
    return values.length > 0 && values.filter(test).length > values.length * 0.6;
  };
  const date = indexes.find((index) => isMostly(index, isDateCell)) ?? 0;
  const amounts = indexes.filter(
    (index) => index !== date && isMostly(index, isAmountCell) && !isRowCounter(listValues(rows, index)),
  );
  const currency = indexes.find(
    (index) => listValues(rows, index).length > 0 && listValues(rows, index).every(isCurrencyCell),
  );
  const isText = (cell: string) => /\p{L}{2}/u.test(cell) && !isDateCell(cell) && !isAmountCell(cell);
  const texts = indexes.filter((index) => index !== date && index !== currency && isMostly(index, isText));
  // Of several columns with amounts, the one with negative values is chosen; the others are balances. If two columns
  // alternate and only one is negative, it has the debits. Otherwise it is unknown which has the credits. Then a text
  // column is chosen, which cannot be parsed as an amount, so that a person has to choose.
  const signed = amounts.find((index) => listValues(rows, index).some(isNegativeCell));
  const pair = findAlternatingPair(rows, amounts);
  const toName = (index: number) => toColumnName(header, index);
  const [debit, credit] = pair?.toSorted((a) => (a === signed ? -1 : 1)) ?? [];
  const isDebit = debit !== undefined && debit === signed && listValues(rows, debit).every(isNegativeOrZero);
  const amount = (pair ? texts[0] : (signed ?? amounts[0])) ?? 1;
  return {
    ...(isDebit && credit !== undefined
      ? { amountFormat: 'separate_columns', creditColumn: toName(credit), debitColumn: toName(debit) }
      : { amountFormat: 'signed', amountColumn: toName(amount) }),
    dateColumn: toName(date),
    ...(currency !== undefined && { currencyColumn: toName(currency) }),
    referenceColumns: texts.map(toName),
  };
}

/** Returns the first two columns that both have amounts other than zero, but never in the same row. */
function findAlternatingPair(rows: CsvRecord[], amounts: number[]): [number, number] | undefined {
  const has = (cells: string[], index: number) => /[1-9]/.test(cells[index] ?? '');
  const used = amounts.filter((index) => rows.some(({ cells }) => has(cells, index)));
  for (const [position, one] of used.entries())
    for (const other of used.slice(position + 1)) {
      if (rows.every(({ cells }) => !has(cells, one) || !has(cells, other))) return [one, other];
    }
  return undefined;
}

function isNegativeOrZero(cell: string): boolean {
  return isNegativeCell(cell) || !/[1-9]/.test(cell);
}

export function listValues(rows: CsvRecord[], index: number): string[] {
  return rows.flatMap(({ cells }) => cells[index]?.trim() || []);
}

/** Returns the index of a column that is named by its heading or number; -1 if there is none. */
export function findColumnIndex(header: string[], column: string | undefined): number {
  if (column === undefined) return -1;
  const [, number] = /^#(\d+)$/.exec(column) ?? [];
  return number === undefined ? header.indexOf(column) : Number(number) - 1;
}
