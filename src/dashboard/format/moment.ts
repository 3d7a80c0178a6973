import { instantOf, localTimeOf } from '../../kit/instant-of.ts';
import { serverNow } from '../graphql/server-clock.ts';

/** Whose clock is shown; undefined: that of whoever looks. */
let shownZone: string | undefined;
let formats = makeFormats();

/** Shows all times by the clock of the merchant; `UTC`, which it has until it chooses one, means everybody's own. */
export function showTimesIn(timeZone: string): void {
  const zone = timeZone === 'UTC' ? undefined : timeZone;
  if (zone === shownZone) return;
  shownZone = zone;
  formats = makeFormats();
}

function makeFormats() {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(undefined, { ...options, ...(shownZone && { timeZone: shownZone }) });
  return {
    long: format({ dateStyle: 'medium', timeStyle: 'medium' }),
    short: format({ dateStyle: 'medium', timeStyle: 'short' }),
    day: format({ dateStyle: 'medium' }),
    date: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' }),
    clock: format({ timeStyle: 'short' }),
  };
}

/** How a time is written; `date`: it is a day of the calendar, by no clock, which the API tells as its midnight in UTC. */
export type MomentForm = 'short' | 'long' | 'day' | 'date';

/** A time of the API (ISO 8601, UTC) in the reader's own form, by the merchant's clock. */
export function formatMoment(iso: string, form: MomentForm = 'short'): string {
  const time = new Date(iso);
  if (form === 'day' || form === 'date') return formats[form].format(time);
  if (form === 'long') return formats.long.format(time);
  return isToday(time) ? formats.clock.format(time) : formats.short.format(time);
}

/** Of a rate: feeds tell a date, who sets one by hand does so at a time. */
export function rateForm(iso: string): MomentForm {
  return /T00:00:00(\.0+)?Z$/.test(iso) ? 'date' : 'day';
}

function isToday(time: Date): boolean {
  return formats.day.format(time) === formats.day.format(serverNow());
}

/** Whose days are shown: the zone of the clock that times are shown by. */
export function shownTimeZone(): string {
  return shownZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** A time as a field of date and time takes it, by the clock that times are shown by. */
export function fieldTime(time: Date): string {
  return localTimeOf(time, shownTimeZone()).slice(0, 16);
}

/** What stands in such a field; null when that is no time. */
export function timeOfField(text: string): Date | null {
  if (Number.isNaN(Date.parse(`${text}Z`))) return null;
  return instantOf(text, shownTimeZone());
}

/** When a day, `2026-11-21`, begins by that clock; null where it is none. */
export function startOfDay(day: string): Date | null {
  return timeOfField(`${day}T00:00`);
}

const calendarDay = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** A day of the calendar, `2026-11-21`, as the reader writes it: `21 Nov`. */
export function formatDay(date: string): string {
  return calendarDay.format(new Date(`${date}T00:00:00Z`));
}

export function formatDuration(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  return `${new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 }).format(ms / 1000)} s`;
}
