import { minorDigits } from '../kit/currency.ts';
import type { CsvMapping } from './csv-mapping.ts';

type DateRules = Pick<CsvMapping, 'dateOrder' | 'buddhistYears'>;

const datePattern = /^(\d{1,4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,4})(?!\d)/;

const monthName =
  /^\d{1,2}[\s\-/.]*(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[\s\-/.,]*\d{2,4}/i;

/** Longer than any date and amount; the patterns take the square of a cell's length. */
const cellMax = 100;

/** The beginning of a cell as it is looked at: characters of full width are plain. */
function normalizeCell(cell: string): string {
  return cell.trim().slice(0, cellMax).normalize('NFKC').trim();
}

/** Whether a cell begins with a date as banks write it. */
export function isDateCell(cell: string): boolean {
  const text = normalizeCell(cell);
  return datePattern.test(text) || monthName.test(text) || /^(19|20)\d{2}[01]\d[0-3]\d(\d{4,6})?$/.test(text);
}

/** Whether a cell looks like an amount: digits that end in decimals or are grouped, signed, or few. */
export function isAmountCell(cell: string): boolean {
  const text = normalizeCell(cell).replaceAll('−', '-');
  return (
    !isDateCell(cell) &&
    /^\(?[^\d\s]{0,4}\s?(\d{1,8}|\d{1,3}([.,' ]\d{2,3})+|\d+[.,]\d{1,3}|\d{1,3}([.,' ]\d{2,3})+[.,]\d{1,2})([\s)]?-?[A-Z]{0,3})?\)?$/i.test(
      text,
    )
  );
}

/** Whether an amount carries a sign, brackets or a mark of a debit. */
export function isNegativeCell(cell: string): boolean {
  const text = normalizeCell(cell).replaceAll('−', '-');
  return isAmountCell(cell) && (/^[(-]|-$|^[^\d]{1,4}-/.test(text) || /\bD[RB]?$/i.test(text));
}

/**
 * The order in which every date of the sample is one; day before month where both would do, as most of the region
 * writes.
 */
export function guessDateOrder(cells: string[], currency: string): DateRules {
  const dates = cells
    .map((cell) => datePattern.exec(normalizeCell(cell)))
    .filter((match) => match !== null)
    .map(([, first = '', second = '', third = '']) => [first, second, third] as const);
  const [sample] = dates;
  const getYear = ([first, , third]: readonly [string, string, string]) =>
    Number(first.length === 4 ? first : third);
  // Of two digits, 69 is 2569 in Thailand, and lies decades ahead anywhere else.
  const isBuddhist = (year: number) => year > 2400 || (currency === 'THB' && year >= 60 && year < 100);
  const buddhistYears = dates.length > 0 && dates.every((date) => isBuddhist(getYear(date)));
  if (!sample) {
    // Without separators: 20261120.
    return {
      dateOrder: cells.some((cell) => /^20\d{6}(\d{4,6})?$/.test(cell)) ? 'ymd' : 'dmy',
      buddhistYears,
    };
  }
  if (sample[0].length === 4) return { dateOrder: 'ymd', buddhistYears };
  const isMonthFirst =
    dates.every(([first]) => Number(first) <= 12) && dates.some(([, second]) => Number(second) > 12);
  return { dateOrder: isMonthFirst ? 'mdy' : 'dmy', buddhistYears };
}

/** A mark before one or two last digits is the decimal one; before three it groups. */
export function guessDecimalMark(cells: string[], currency: string): CsvMapping['decimalMark'] {
  const amounts = cells
    .map((cell) => /(?:^|[^\d.,])(\d[\d.,]*\d)(?:[^\d.,]|$)/.exec(normalizeCell(cell))?.[1] ?? '')
    .filter((text) => /^\d{1,3}(?:[.,]\d{3})*(?:[.,]\d{1,3})?$|^\d+[.,]\d{1,2}$/.test(text));
  let comma = 0;
  let point = 0;
  for (const text of amounts) {
    const [, mark, digits = ''] = /([.,])(\d+)$/.exec(text) ?? [];
    if (mark === undefined) continue;
    // Of three digits: they are decimals only of the few currencies that have three.
    const isDecimal = digits.length < 3 || (minorDigits(currency) === 3 && text.split(mark).length === 2);
    if ((mark === ',') === isDecimal) comma += 1;
    else point += 1;
  }
  return comma > point ? ',' : '.';
}
