import { parseCsvAmount, tryParseCsvAmount } from './csv-amount.ts';
import { foldCell } from './csv-header.ts';
import type { CsvMapping } from './csv-mapping.ts';
import { invalidStatementError } from './invalid-statement.ts';

/** Returns the cell of a mapped column, or an empty text. */
export type CsvCellReader = (column: string | undefined) => string;

/** The amount of a row, as an unsigned decimal, and its direction. */
type CsvMovement = {
  text: string;
  isCredit: boolean;
  isReversal: boolean;
  /** Whether the mapping says that such a row moves no money. */
  isIgnored?: boolean;
};

/** Reads the amount and its direction. Returns undefined if the row has no amount. */
export function readMovement(
  cell: CsvCellReader,
  mapping: CsvMapping,
  line: number,
): CsvMovement | undefined {
  const read = (column: string | undefined) =>
    parseCsvAmount(cell(column), { decimalMark: mapping.decimalMark, line });
  if (mapping.amountFormat === 'separate_columns') {
    const credit = ignoreZero(read(mapping.creditColumn));
    const debit = ignoreZero(read(mapping.debitColumn));
    if (credit && debit) throw invalidStatementError(line, 'this row has both a credit and a debit');
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
  const direction = parseDirection(cell(mapping.directionColumn), mapping, line);
  const isCredit = direction === 'credit';
  return {
    text: amount.text,
    isCredit: isCredit && !amount.isNegative,
    isReversal: isCredit && amount.isNegative,
    isIgnored: direction === 'ignored',
  };
}

/**
 * Returns how many of the mapped amount columns have an amount other than zero; undefined if a cell is not an
 * amount.
 */
export function countAmounts(cell: CsvCellReader, mapping: CsvMapping): number | undefined {
  const { amountColumn, creditColumn, debitColumn } = mapping;
  const columns = mapping.amountFormat === 'separate_columns' ? [creditColumn, debitColumn] : [amountColumn];
  const amounts = columns.map((column) => tryParseCsvAmount(cell(column), mapping.decimalMark));
  if (amounts.includes(null)) return undefined;
  return amounts.filter((amount) => ignoreZero(amount ?? undefined)).length;
}

/** Throws for an unknown value, because incoming money must never be read as outgoing. */
function parseDirection(text: string, mapping: CsvMapping, line: number): 'credit' | 'debit' | 'ignored' {
  const value = foldCell(text);
  const matches = (words: string[] = []) => words.some((word) => foldCell(word) === value);
  if (matches(mapping.creditValues)) return 'credit';
  if (matches(mapping.debitValues)) return 'debit';
  if (matches(mapping.ignoredValues)) return 'ignored';
  throw invalidStatementError(
    line,
    `"${text.slice(0, 40)}" is in neither creditValues nor debitValues of the mapping`,
  );
}

function ignoreZero(amount: { text: string; isNegative: boolean } | undefined) {
  return amount && /[1-9]/.test(amount.text) ? amount : undefined;
}
