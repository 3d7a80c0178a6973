import { instantOf, localDate } from '../../kit/time-zone.ts';

/** Whose clock is shown; undefined: that of whoever looks. */
let shownZone: string | undefined;
let formats = makeFormats();

/** Shows all times by the clock of the merchant; `UTC`, which it has until it chooses one, means everybody's own. */
export function showTimesIn(timeZone: string): void {
  shownZone = timeZone === 'UTC' ? undefined : timeZone;
  formats = makeFormats();
}

function makeFormats() {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(undefined, { ...options, ...(shownZone && { timeZone: shownZone }) });
  return {
    long: format({ dateStyle: 'medium', timeStyle: 'medium' }),
    short: format({ dateStyle: 'medium', timeStyle: 'short' }),
    day: format({ dateStyle: 'medium' }),
    clock: format({ timeStyle: 'short' }),
  };
}

/** A time of the API (ISO 8601, UTC) in the reader's own form, by the merchant's clock. */
export function formatMoment(iso: string, form: 'short' | 'long' | 'day' = 'short'): string {
  const time = new Date(iso);
  if (form === 'day') return formats.day.format(time);
  if (form === 'long') return formats.long.format(time);
  return isToday(time) ? formats.clock.format(time) : formats.short.format(time);
}

function isToday(time: Date): boolean {
  return formats.day.format(time) === formats.day.format(new Date());
}

/** When the day that is shown began, as the API takes times. */
export function startOfToday(now = new Date()): string {
  if (shownZone) return instantOf(`${localDate(now, shownZone)}T00:00:00`, shownZone).toISOString();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate()).toISOString();
}

export function formatDuration(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  return `${new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 }).format(ms / 1000)} s`;
}
