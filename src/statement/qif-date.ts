import { invalidStatementError } from './invalid-statement.ts';
import { isCalendarDate } from './statement-date.ts';

export type QifDateOrder = 'ymd' | 'dmy' | 'mdy';

/**
 * Matches three numbers, or a year of two digits behind an apostrophe (`12/25'26`), which Quicken writes from
 * 2000 on.
 */
const pattern = /^(\d{1,4})\s*[/.-]\s*(\d{1,2})\s*[/.'-]\s*(\d{1,4})$/;

/** The currencies of countries that write the month first, and of those that write the year first. */
const monthFirstCurrencies = ['USD', 'PHP'];
const yearFirstCurrencies = ['CNY', 'JPY', 'KRW', 'TWD'];

/**
 * Returns the order of day, month and year: the only one in which all given dates are valid and not in the
 * future, or else the one that is usual for the currency.
 */
export function chooseQifDateOrder(
  dates: string[],
  { currency, today }: { currency: string; today: string },
): QifDateOrder {
  const usual = monthFirstCurrencies.includes(currency)
    ? 'mdy'
    : yearFirstCurrencies.includes(currency)
      ? 'ymd'
      : 'dmy';
  const orders: QifDateOrder[] = [
    usual,
    ...(['dmy', 'mdy', 'ymd'] as const).filter((order) => order !== usual),
  ];
  const fits = (order: QifDateOrder, isPast: boolean) =>
    dates.every((text) => {
      const day = toDay(text, order);
      return day !== undefined && (!isPast || day <= today);
    });
  return orders.find((order) => fits(order, true)) ?? orders.find((order) => fits(order, false)) ?? usual;
}

export function parseQifDate(text: string, order: QifDateOrder, line: number): string {
  const day = toDay(text, order);
  if (day !== undefined) return day;
  throw invalidStatementError(
    line,
    `"${text.slice(0, 40)}" is not a date; the other dates of this file are in the order ${order}`,
  );
}

function toDay(text: string, order: QifDateOrder): string | undefined {
  const [, first = '', second = '', third = ''] = pattern.exec(text.trim()) ?? [];
  const [year, month, date] =
    first.length === 4 || order === 'ymd'
      ? [first, second, third]
      : order === 'dmy'
        ? [third, second, first]
        : [third, first, second];
  const fullYear = year.length === 2 ? `20${year}` : year;
  const day = `${fullYear}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`;
  return isCalendarDate(day) ? day : undefined;
}
