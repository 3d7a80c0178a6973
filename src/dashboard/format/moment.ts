import { toInstant, toLocalTime } from '../../kit/local-time.ts';
import { serverNow } from '../graphql/server-clock.ts';

/** Whose clock is shown; undefined: that of whoever looks. */
let displayTimeZone: string | undefined;
let dateFormats = createDateFormats();

/** Shows all times by the clock of the merchant; `UTC`, which it has until it chooses one, means everybody's own. */
export function setDisplayTimeZone(timeZone: string): void {
  const zone = timeZone === 'UTC' ? undefined : timeZone;
  if (zone === displayTimeZone) return;
  displayTimeZone = zone;
  dateFormats = createDateFormats();
}

function createDateFormats() {
  const createFormat = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(undefined, { ...options, ...(displayTimeZone && { timeZone: displayTimeZone }) });
  return {
    long: createFormat({ dateStyle: 'medium', timeStyle: 'medium' }),
    short: createFormat({ dateStyle: 'medium', timeStyle: 'short' }),
    day: createFormat({ dateStyle: 'medium' }),
    date: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' }),
    clock: createFormat({ timeStyle: 'short' }),
  };
}

/** How a time is written; `date`: it is a day of the calendar, by no clock, which the API tells as its midnight in UTC. */
export type MomentFormat = 'short' | 'long' | 'day' | 'date';

/** A time of the API (ISO 8601, UTC) in the reader's own form, by the merchant's clock. */
export function formatMoment(iso: string, format: MomentFormat = 'short'): string {
  const time = new Date(iso);
  if (format === 'day' || format === 'date') return dateFormats[format].format(time);
  if (format === 'long') return dateFormats.long.format(time);
  return isToday(time) ? dateFormats.clock.format(time) : dateFormats.short.format(time);
}

/** Of a rate: feeds tell a date, who sets one by hand does so at a time. */
export function getRateFormat(iso: string): MomentFormat {
  return /T00:00:00(\.0+)?Z$/.test(iso) ? 'date' : 'day';
}

function isToday(time: Date): boolean {
  return dateFormats.day.format(time) === dateFormats.day.format(serverNow());
}

/** Whose days are shown: the zone of the clock that times are shown by. */
export function getDisplayTimeZone(): string {
  return displayTimeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** A time as a field of date and time takes it, by the clock that times are shown by. */
export function toFieldTime(time: Date): string {
  return toLocalTime(time, getDisplayTimeZone()).slice(0, 16);
}

/** What stands in such a field; null when that is no time. */
export function parseFieldTime(text: string): Date | null {
  if (Number.isNaN(Date.parse(`${text}Z`))) return null;
  return toInstant(text, getDisplayTimeZone());
}

/** When a day, `2026-11-21`, begins by that clock; null where it is none. */
export function startOfDay(day: string): Date | null {
  return parseFieldTime(`${day}T00:00`);
}

const dayFormat = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** A day of the calendar, `2026-11-21`, as the reader writes it: `21 Nov`. */
export function formatDay(date: string): string {
  return dayFormat.format(new Date(`${date}T00:00:00Z`));
}

export function formatDuration(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  return `${new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 }).format(ms / 1000)} s`;
}
