import { isAmountCell, isDateCell, isNegativeCell } from './csv-guess-values.ts';
import type { CsvMapping } from './csv-mapping.ts';
import type { CsvRecord } from './csv-records.ts';
import { bookedWords, creditWords, debitWords, type HeaderRole } from './csv-words.ts';
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
  | 'buddhistYears'
>;

/** The columns by what stands above them, where the values below do not gainsay it. */
export function guessColumnsByHeader(
  { cells: header, roles }: HeaderColumns,
  rows: CsvRecord[],
): GuessedColumns {
  const first = (role: HeaderRole) => roles.get(role)?.[0];
  if (!first('date')) return guessColumnsByValues(rows);
  const optional = (member: string, role: HeaderRole) => {
    const column = first(role);
    return column === undefined ? {} : { [member]: column };
  };
  const getValues = (column: string | undefined) => valuesAt(rows, indexIn(header, column));
  // A reference that comes again names no movement: it is text.
  const bankReferences = getValues(first('bankReference')).filter(
    (value) => withoutPlaceholder(value) !== undefined,
  );
  const isUnique = new Set(bankReferences).size === bankReferences.length;
  const texts = roles.get('references') ?? [];
  return {
    ...guessAmountColumns({ cells: header, roles }, rows),
    date: first('date') ?? '#1',
    ...optional('time', 'time'),
    ...optional('valueDate', 'valueDate'),
    ...optional('currency', 'currency'),
    references: isUnique ? texts : [...texts, ...(roles.get('bankReference') ?? [])],
    ...optional('payerName', 'payerName'),
    ...optional('payerAccount', 'payerAccount'),
    ...(isUnique && optional('bankReference', 'bankReference')),
    ...(roles.has('status') && { ...optional('status', 'status'), bookedWords }),
  };
}

/** How much, and which way: a column each, one that says the way, or a sign. */
function guessAmountColumns({ cells: header, roles }: HeaderColumns, rows: CsvRecord[]) {
  const [credit, debit] = [roles.get('credit')?.[0], roles.get('debit')?.[0]];
  if (credit !== undefined) return { amountKind: 'columns' as const, credit, ...(debit && { debit }) };
  const amount = roles.get('amount')?.[0] ?? '#2';
  const isSigned = valuesAt(rows, indexIn(header, amount)).some(isNegativeCell);
  const namedIndex = indexIn(header, roles.get('direction')?.[0]);
  const directionIndex = isSigned
    ? -1
    : [namedIndex, ...header.keys()].find((index) =>
        isDirectionColumn(valuesAt(rows, index), { alone: index === namedIndex }),
      );
  if (directionIndex === undefined || directionIndex === -1) return { amountKind: 'signed' as const, amount };
  return {
    amountKind: 'direction' as const,
    amount,
    direction: toColumnName(header, directionIndex),
    creditWords,
    debitWords,
  };
}

/** Whether every value is a word for money that came or went; of a column that is not named so, both must be there. */
function isDirectionColumn(values: string[], { alone: isNamed }: { alone: boolean }): boolean {
  const countMatches = (words: string[]) =>
    values.filter((value) => words.includes(value.toLowerCase())).length;
  const [credits, debits] = [countMatches(creditWords), countMatches(debitWords)];
  return values.length > 0 && credits + debits === values.length && (isNamed || (credits > 0 && debits > 0));
}

/** The columns of a file that does not say what stands in them: by how most of their values look. */
export function guessColumnsByValues(rows: CsvRecord[]): GuessedColumns {
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  const indexes = Array.from({ length: width }, (_, index) => index);
  const isMostly = (index: number, test: (cell: string) => boolean) => {
    const values = valuesAt(rows, index);
    return values.length > 0 && values.filter(test).length > values.length * 0.6;
  };
  const date = indexes.find((index) => isMostly(index, isDateCell)) ?? 0;
  const amounts = indexes.filter((index) => index !== date && isMostly(index, isAmountCell));
  const isText = (cell: string) => /\p{L}{2}/u.test(cell) && !isDateCell(cell) && !isAmountCell(cell);
  const texts = indexes.filter((index) => index !== date && isMostly(index, isText));
  // Of several, one with a sign; the others are balances. Which of two in turns is which way, nobody knows: a column of
  // text is no amount, so that a person has to say.
  const signed = amounts.find((index) => valuesAt(rows, index).some(isNegativeCell));
  const amount = signed ?? (isAlternating(rows, amounts) ? texts[0] : amounts[0]) ?? 1;
  return {
    amountKind: 'signed',
    amount: `#${amount + 1}`,
    date: `#${date + 1}`,
    references: texts.map((index) => `#${index + 1}`),
  };
}

/** Whether each row has an amount in one of the first two columns alone. */
function isAlternating(rows: CsvRecord[], [one, other]: number[]): boolean {
  if (one === undefined || other === undefined) return false;
  return rows.every(({ cells }) => !cells[one] || !cells[other]);
}

function valuesAt(rows: CsvRecord[], index: number): string[] {
  return rows.flatMap(({ cells }) => cells[index]?.trim() || []);
}

function indexIn(header: string[], column: string | undefined): number {
  if (column === undefined) return -1;
  const [, number] = /^#(\d+)$/.exec(column) ?? [];
  return number === undefined ? header.indexOf(column) : Number(number) - 1;
}

/** A header that is empty, or stands there twice, does not name its column. */
function toColumnName(header: string[], index: number): string {
  const name = header[index] ?? '';
  return name === '' || header.indexOf(name) !== header.lastIndexOf(name) ? `#${index + 1}` : name;
}
