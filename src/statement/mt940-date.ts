import { invalidStatementError } from './invalid-statement.ts';
import { getLastDay } from './statement-date.ts';

/**
 * Converts `YYMMDD` to `YYYY-MM-DD`; years from 80 are in the 20th century. 29 and 30 February become the last day of
 * the month if they do not exist, because German banks count interest in months of 30 days. Throws for any other
 * invalid date.
 */
export function parseMt940Date(text: string, line: number): string {
  const year = Number(text.slice(0, 2)) + (text.slice(0, 2) >= '80' ? 1900 : 2000);
  const month = Number(text.slice(2, 4));
  const lastDay = getLastDay(year, month);
  const dayOfMonth = Number(text.slice(4, 6));
  const day = month === 2 && dayOfMonth <= 30 ? Math.min(dayOfMonth, lastDay) : dayOfMonth;
  if (!/^\d{6}$/.test(text) || day < 1 || day > lastDay)
    throw invalidStatementError(line, `"${text}" is not a date (YYMMDD)`);
  return `${year}-${text.slice(2, 4)}-${String(day).padStart(2, '0')}`;
}

/** Converts an entry date `MMDD`, using the year that brings it closest to the value date. */
export function parseMt940EntryDate(text: string, valueOn: string, line: number): string {
  const valueYear = Number(valueOn.slice(0, 4));
  const monthDifference = Number(text.slice(0, 2)) - Number(valueOn.slice(5, 7));
  const year = monthDifference > 6 ? valueYear - 1 : monthDifference < -6 ? valueYear + 1 : valueYear;
  return parseMt940Date(`${String(year % 100).padStart(2, '0')}${text}`, line);
}
