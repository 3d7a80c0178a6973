import { toLocalTime } from '../../kit/local-time.ts';
import { serverNow } from '../graphql/server-clock.ts';
import { locale } from '../language/texts.ts';

// Calendar days are strings such as `2026-11-21`. Only `today` depends on a time zone.

export function today(timeZone: string, now = serverNow()): string {
  return toLocalTime(now, timeZone).slice(0, 10);
}

export function firstOfMonth(day: string): string {
  return `${day.slice(0, 7)}-01`;
}

export function lastOfMonth(day: string): string {
  const [year = 0, month = 1] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
}

/** Returns the first day of the month that is `months` after that of `day`. */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 1] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 10);
}

export function nextDay(day: string): string {
  const time = new Date(`${day}T00:00:00Z`);
  time.setUTCDate(time.getUTCDate() + 1);
  return time.toISOString().slice(0, 10);
}

export function isDay(text: string | null): text is string {
  return text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));
}

/** Returns whether the period is exactly one calendar month. */
export function isWholeMonth(from: string, to: string): boolean {
  return from === firstOfMonth(from) && to === lastOfMonth(from);
}

/** Formats the month of a day: `November 2026`. */
export function monthName(day: string): string {
  const format = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  return format.format(new Date(`${day}T00:00:00Z`));
}
