import { findColumnIndex, listValues } from './csv-guess-columns.ts';
import { isAmountCell, isNegativeCell } from './csv-guess-values.ts';
import { foldCell } from './csv-header.ts';
import type { CsvMapping } from './csv-mapping.ts';
import type { CsvRecord } from './csv-records.ts';
import { unbookedValues } from './csv-words.ts';

/** The ambiguities of a file, which a person must resolve before the import. */
export type CsvQuestion =
  /** All dates can be read with the day or the month first. `sample` is one of them. */
  | { kind: 'date_order'; sample: string }
  /** The mark in all amounts can be decimal or group digits. */
  | { kind: 'decimal_mark'; sample: string }
  /** `sample` is a value of the direction column that is known neither as a credit nor as a debit. */
  | { kind: 'direction'; sample: string }
  /** No amount has a sign, and no column has the direction. */
  | { kind: 'sign'; sample: string }
  /** `sample` is a value of the status column that is known neither as booked nor as not booked. */
  | { kind: 'status'; sample: string }
  /** Another worksheet, `sample`, has movements too. */
  | { kind: 'sheet'; sample: string };

export type CsvQuestionKind = CsvQuestion['kind'];

const valuesMax = 10;

const knownUnbookedValues = new Set(unbookedValues.map(foldCell));

/** Returns a question for each unknown value of the status column, up to `valuesMax`. */
export function findStatusQuestions(
  { statusColumn, bookedValues = [] }: Pick<CsvMapping, 'statusColumn' | 'bookedValues'>,
  { header, rows }: { header: string[]; rows: CsvRecord[] },
): CsvQuestion[] {
  const known = new Set([...bookedValues.map(foldCell), ...knownUnbookedValues]);
  return listUnknownValues(listValues(rows, findColumnIndex(header, statusColumn)), known).map((sample) => ({
    kind: 'status',
    sample,
  }));
}

function listUnknownValues(values: string[], known: ReadonlySet<string>): string[] {
  const unknown = values.filter((value) => value.length <= 60 && !known.has(foldCell(value)));
  return [...new Set(unknown)].slice(0, valuesMax);
}

/** Returns the questions about amount and direction that a guessed mapping leaves open. */
export function findAmountQuestions(
  mapping: Pick<
    CsvMapping,
    'amountFormat' | 'amountColumn' | 'directionColumn' | 'creditValues' | 'debitValues'
  >,
  { header, rows }: { header: string[]; rows: CsvRecord[] },
): CsvQuestion[] {
  const getValues = (column: string | undefined) => listValues(rows, findColumnIndex(header, column));
  const { amountFormat, amountColumn, directionColumn, creditValues = [], debitValues = [] } = mapping;
  if (amountFormat === 'direction_column') {
    const known = new Set([...creditValues, ...debitValues].map(foldCell));
    return listUnknownValues(getValues(directionColumn), known).map((sample) => ({
      kind: 'direction',
      sample,
    }));
  }
  const amounts = getValues(amountColumn).filter(isAmountCell);
  const hasMarks = amounts.some((cell) => isNegativeCell(cell) || /[+]|\bCR?\b/i.test(cell));
  return amountFormat === 'signed' && amounts.length > 0 && !hasMarks
    ? [{ kind: 'sign', sample: amounts[0]! }]
    : [];
}
