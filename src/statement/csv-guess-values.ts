import { getMinorDigits } from '../kit/currency.ts';
import type { CsvMapping } from './csv-mapping.ts';

type DateRules = Pick<CsvMapping, 'dateOrder' | 'hasBuddhistYears'>;

const datePattern = /^(\d{1,4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,4})(?!\d)/;

const monthNamePattern =
  /^\d{1,2}[\s\-/.]*(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[\s\-/.,]*\d{2,4}/i;

/** The length to which cells are cut, longer than any date or amount, because the patterns take quadratic time. */
const cellLengthMax = 100;

/** Truncates a cell and converts full-width characters. */
function normalizeCell(cell: string): string {
  return cell.trim().slice(0, cellLengthMax).normalize('NFKC').trim();
}

/** Returns whether a cell begins with a date in a bank's format. */
export function isDateCell(cell: string): boolean {
  const text = normalizeCell(cell);
  return (
    datePattern.test(text) ||
    monthNamePattern.test(text) ||
    /^(19|20)\d{2}[01]\d[0-3]\d(\d{4,6})?$/.test(text)
  );
}

/**
 * Returns whether a cell looks like an amount: a number with decimals or grouped digits, or with at most eight digits.
 * A payment reference, such as `ZEBU23456Y`, is none: no currency has four letters.
 */
export function isAmountCell(cell: string): boolean {
  const text = normalizeCell(cell).replaceAll('−', '-');
  return (
    !isDateCell(cell) &&
    !/^\p{L}{4}/u.test(text) &&
    /^\(?[^\d\s]{0,4}\s?(\d{1,8}|\d{1,3}([.,' ]\d{2,3})+|\d+[.,]\d{1,3}|\d{1,3}([.,' ]\d{2,3})+[.,]\d{1,2})([\s)]?-?[A-Z]{0,3})?\)?$/i.test(
      text,
    )
  );
}

/** Returns whether an amount has a minus sign, brackets or a debit mark. */
export function isNegativeCell(cell: string): boolean {
  const text = normalizeCell(cell).replaceAll('−', '-');
  return isAmountCell(cell) && (/^[(-]|-$|^[^\d]{1,4}-/.test(text) || /\bD[RB]?$/i.test(text));
}

/**
 * Guesses the order that fits all dates. If several orders fit, assumes that the day comes first, as is most common in
 * the countries of the payment methods.
 */
export function guessDateOrder(cells: string[], currency: string): DateRules {
  const dates = cells
    .map((cell) => datePattern.exec(normalizeCell(cell)))
    .filter((match) => match !== null)
    .map(([, first = '', second = '', third = '']) => [first, second, third] as const);
  const [sample] = dates;
  const getYear = ([first, , third]: readonly [string, string, string]) =>
    Number(first.length === 4 ? first : third);
  // In Thailand, the year 69 is 2569, which is 2026. Elsewhere, such a year would be decades in the future.
  const isBuddhist = (year: number) => year > 2400 || (currency === 'THB' && year >= 60 && year < 100);
  const hasBuddhistYears = dates.length > 0 && dates.every((date) => isBuddhist(getYear(date)));
  if (!sample) {
    // The dates may have no separators, such as 20261120.
    return {
      dateOrder: cells.some((cell) => /^20\d{6}(\d{4,6})?$/.test(cell)) ? 'ymd' : 'dmy',
      hasBuddhistYears,
    };
  }
  if (sample[0].length === 4) return { dateOrder: 'ymd', hasBuddhistYears };
  const isMonthFirst =
    dates.every(([first]) => Number(first) <= 12) && dates.some(([, second]) => Number(second) > 12);
  return { dateOrder: isMonthFirst ? 'mdy' : 'dmy', hasBuddhistYears };
}

/**
 * Guesses the decimal mark: a mark before the last one or two digits is decimal; a mark before three digits groups
 * them.
 */
export function guessDecimalMark(cells: string[], currency: string): CsvMapping['decimalMark'] {
  const amounts = cells
    .map((cell) => /(?:^|[^\d.,])(\d[\d.,]*\d)(?:[^\d.,]|$)/.exec(normalizeCell(cell))?.[1] ?? '')
    .filter((text) => /^\d{1,3}(?:[.,]\d{3})*(?:[.,]\d{1,3})?$|^\d+[.,]\d{1,2}$/.test(text));
  let commaCount = 0;
  let pointCount = 0;
  for (const text of amounts) {
    const [, mark, digits = ''] = /([.,])(\d+)$/.exec(text) ?? [];
    if (mark === undefined) continue;
    // Three digits are decimals only in the few currencies that have three.
    const isDecimal = digits.length < 3 || (getMinorDigits(currency) === 3 && text.split(mark).length === 2);
    if ((mark === ',') === isDecimal) commaCount += 1;
    else pointCount += 1;
  }
  return commaCount > pointCount ? ',' : '.';
}
