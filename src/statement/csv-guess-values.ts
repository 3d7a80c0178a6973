import { getMinorDigits } from '../kit/currency.ts';
import { tryParseCsvAmount } from './csv-amount.ts';
import { findMonth } from './csv-date.ts';
import type { CsvMapping } from './csv-mapping.ts';

type DateRules = Pick<CsvMapping, 'dateOrder' | 'hasBuddhistYears'>;

const datePattern = /^(\d{1,4})\s*[-/.年년]\s*(\d{1,2})\s*[-/.月월]\s*(\d{1,4})(?!\d)/;

const monthNamePattern =
  /^(?:\d{1,2}[\s\-/.]*([a-z]{3,9})[\s\-/.,]*\d{2,4}|([a-z]{3,9})\.?\s+\d{1,2},?\s+\d{4})/i;

/** The length to which cells are cut, longer than any date or amount, because the patterns take quadratic time. */
const cellLengthMax = 100;

/** Truncates a cell and converts full-width characters. */
function normalizeCell(cell: string): string {
  return cell.trim().slice(0, cellLengthMax).normalize('NFKC').trim();
}

/** Returns whether a cell begins with a date in a bank's format. */
export function isDateCell(cell: string): boolean {
  const text = normalizeCell(cell);
  if (!/^[\da-z]/i.test(text)) return false;
  const [, after, before] = monthNamePattern.exec(text) ?? [];
  return (
    datePattern.test(text) ||
    findMonth(after ?? before ?? '') > 0 ||
    /^\d{1,2}\s[\u0E00-\u0E7F.]{3,12}\s\d{2,4}/.test(text) ||
    /^([0-2]?\d|3[01])\/([0-2]?\d|3[01])$/.test(text) ||
    /^(19|20)\d{2}[01]\d[0-3]\d(\d{4,6})?$/.test(text)
  );
}

/**
 * Returns whether a cell looks like an amount: a number with decimals or grouped digits, or with at most eight digits
 * that do not begin with zero.
 */
export function isAmountCell(cell: string): boolean {
  if (!/\d/.test(cell) || isDateCell(cell)) return false;
  const amount = tryParseCsvAmount(cell, '.') ?? tryParseCsvAmount(cell, ',');
  if (!amount) return false;
  return /[.,]/.test(cell) || /^(0|[1-9]\d{0,7})$/.test(amount.text) || /\d[ '\u2019]\d/.test(cell);
}

/** Returns whether a column counts its rows: 1, 2, 3 or the reverse. */
export function isRowCounter(values: string[]): boolean {
  const numbers = values.map((value) =>
    /^\d{1,8}\.?$/.test(value) ? Number.parseInt(value, 10) : Number.NaN,
  );
  const [first = Number.NaN, second = Number.NaN] = numbers;
  const step = second - first;
  if (numbers.length === 1) return first === 1;
  return Math.abs(step) === 1 && numbers.every((number, index) => number === first + index * step);
}

/** Returns whether an amount has a minus sign, brackets or a debit mark. */
export function isNegativeCell(cell: string): boolean {
  if (!isAmountCell(cell)) return false;
  return (tryParseCsvAmount(cell, '.') ?? tryParseCsvAmount(cell, ','))?.isNegative ?? false;
}

type DateClues = {
  currency: string;
  /** The import day, `YYYY-MM-DD`. */
  today?: string | undefined;
  /** Cells above the header, which may have the period of the statement. */
  preamble: string[];
};

/**
 * Guesses the order of the dates. Sets `isAmbiguous` if day and month can be exchanged in all of them, and neither
 * the period of the statement, the order of the rows, the import day nor the spread of the days decides.
 */
export function guessDateOrder(
  cells: string[],
  { currency, today, preamble }: DateClues,
): DateRules & { isAmbiguous: boolean } {
  const dates = cells.map(splitDate).filter((date) => date !== undefined);
  const years = dates.map(([first, , third]) => Number(first.length > 2 ? first : third));
  // In Thailand, the year 69 is 2569, which is 2026. Elsewhere, such a year would be decades in the future.
  const isBuddhist = (year: number) => year > 2400 || (currency === 'THB' && year >= 60 && year < 100);
  const hasBuddhistYears = years.length > 0 && years.every(isBuddhist);
  const decided = (dateOrder: CsvMapping['dateOrder']) => ({
    dateOrder,
    hasBuddhistYears,
    isAmbiguous: false,
  });
  if (dates.length === 0) {
    // The dates may have no separators, such as 20261120.
    return decided(cells.some((cell) => /^20\d{6}(\d{4,6})?$/.test(cell)) ? 'ymd' : 'dmy');
  }
  if (dates[0]![0].length > 2) return decided('ymd');
  const orders = dayAndMonthOrders.filter((order) =>
    dates.every((date) => toSortableDay(date, order) !== undefined),
  );
  if (orders.length < 2) return decided(orders[0] ?? 'dmy');
  const periodDates = preamble.flatMap((cell) =>
    [...cell.matchAll(/\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}/g)].map(([text]) => text),
  );
  const clues = [
    dayAndMonthOrders.filter((order) =>
      periodDates.every((text) => toSortableDay(splitDate(text)!, order) !== undefined),
    ),
    orders.filter((order) => isSorted(dates.map((date) => toSortableDay(date, order)!))),
    orders.filter((order) => !isInFuture(dates, order, today)),
    // Many days of one month are more likely than the same day of many months.
    orders.filter((order) => isWithinMonth(dates.map((date) => toSortableDay(date, order)!))),
  ];
  const clear = clues.find((possible) => possible.length === 1)?.[0];
  if (clear) return decided(clear);
  const isMonthFirst = currency === 'PHP' || currency === 'USD';
  return {
    ...decided(isMonthFirst ? 'mdy' : 'dmy'),
    isAmbiguous: dates.some(([day, month]) => Number(day) !== Number(month)),
  };
}

const dayAndMonthOrders = ['dmy', 'mdy'] as const;
type DayAndMonthOrder = (typeof dayAndMonthOrders)[number];
type SplitDate = [first: string, second: string, third: string];

/** Splits a date with separators; a date without a year gets an empty one. */
function splitDate(cell: string): SplitDate | undefined {
  const text = normalizeCell(cell);
  const [, first = '', second = '', third = ''] =
    datePattern.exec(text) ?? /^(\d{1,2})\s*[-/]\s*(\d{1,2})$/.exec(text) ?? [];
  return first === '' ? undefined : [first, second, third];
}

/** Returns a number that sorts like the date; undefined for a month or day that does not exist. */
function toSortableDay([first, second, year]: SplitDate, order: DayAndMonthOrder): number | undefined {
  const [day, month] = order === 'dmy' ? [Number(first), Number(second)] : [Number(second), Number(first)];
  return month >= 1 && month <= 12 && day >= 1 && day <= 31
    ? Number(year) * 372 + month * 31 + day
    : undefined;
}

function isSorted(days: number[]): boolean {
  const steps = days.slice(1).map((day, index) => day - days[index]!);
  return steps.every((step) => step >= 0) || steps.every((step) => step <= 0);
}

/** Returns whether there are at least five different days, all within one month. */
function isWithinMonth(days: number[]): boolean {
  return new Set(days).size >= 5 && Math.max(...days) - Math.min(...days) <= 31;
}

function isInFuture(dates: SplitDate[], order: DayAndMonthOrder, today: string | undefined): boolean {
  if (today === undefined) return false;
  const [year = '', month = '', day = ''] = today.split('-');
  const limit = toSortableDay([day, month, year], 'dmy')! + 31;
  return dates.some(
    (date) => date[2].length === 4 && Number(date[2]) < 2400 && toSortableDay(date, order)! > limit,
  );
}

/** Currencies that are written with a point between groups of three digits. */
const pointGroupedCurrencies = ['IDR', 'VND', 'EUR'];

/**
 * Guesses the decimal mark: a mark before the last one or two digits is decimal; a mark before three digits groups
 * them. Sets `isAmbiguous` if all amounts have one point with three digits after it, and neither the currency nor
 * the other digits decide.
 */
export function guessDecimalMark(
  cells: string[],
  currency: string,
): { decimalMark: CsvMapping['decimalMark']; isAmbiguous: boolean } {
  const amounts = cells.flatMap(
    (cell) => /(?:^|[^\d.,])(\d[\d.,]*\d)(?:[^\d.,]|$)/.exec(normalizeCell(cell))?.[1] ?? [],
  );
  const marked = amounts.filter((text) => /[.,]/.test(text));
  const single = marked.flatMap((text) => {
    const [, whole = '', mark, fraction = ''] = /^(\d+)([.,])(\d+)$/.exec(text) ?? [];
    return mark === undefined ? [] : [{ whole, mark: mark as '.' | ',', fraction }];
  });
  if (
    marked.length > 0 &&
    single.length === marked.length &&
    single.every(({ fraction, mark }) => fraction.length === 3 && mark === single[0]!.mark)
  ) {
    const { mark } = single[0]!;
    const other = mark === '.' ? ',' : '.';
    if (getMinorDigits(currency) === 3 || single.some(({ whole }) => whole.length > 3 || whole === '0'))
      return { decimalMark: mark, isAmbiguous: false };
    const isGrouping =
      getMinorDigits(currency) === 0 || (mark === '.' && pointGroupedCurrencies.includes(currency));
    if (isGrouping) return { decimalMark: other, isAmbiguous: false };
    if (mark === ',') return { decimalMark: other, isAmbiguous: false };
    const isPadded = single.every(({ fraction }) => fraction.endsWith('0'));
    return { decimalMark: isPadded ? mark : other, isAmbiguous: true };
  }
  let commaCount = 0;
  let pointCount = 0;
  for (const text of marked) {
    const [, mark, digits = ''] = /([.,])(\d+)$/.exec(text) ?? [];
    if (digits.length > 3) continue;
    // Three digits are decimals only in the few currencies that have three.
    const isDecimal = digits.length < 3 || (getMinorDigits(currency) === 3 && text.split(mark!).length === 2);
    if ((mark === ',') === isDecimal) commaCount += 1;
    else pointCount += 1;
  }
  return { decimalMark: commaCount > pointCount ? ',' : '.', isAmbiguous: false };
}
