import { toInstant, toLocalTime } from '../../kit/local-time.ts';
import { fillText } from '../../language/fill-text.ts';
import { locale, t } from '../language/texts.ts';

/** The time zone in which times are shown; undefined means the browser's. */
let displayTimeZone: string | undefined;
let dateFormats = createDateFormats();

/** Sets the time zone in which times are shown. `UTC`, the default of merchants, means the browser's time zone. */
export function setDisplayTimeZone(timeZone: string): void {
  const zone = timeZone === 'UTC' ? undefined : timeZone;
  if (zone === displayTimeZone) return;
  displayTimeZone = zone;
  dateFormats = createDateFormats();
}

function createDateFormats() {
  const createFormat = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, ...(displayTimeZone && { timeZone: displayTimeZone }) });
  return {
    long: createFormat({ dateStyle: 'medium', timeStyle: 'medium' }),
    short: createFormat({ dateStyle: 'medium', timeStyle: 'short' }),
    day: createFormat({ dateStyle: 'medium' }),
    range: createFormat({ day: 'numeric', month: 'short' }),
    date: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }),
  };
}

/** The format of a time. Use `date` for calendar days, which the API returns as midnight UTC. */
export type MomentFormat = 'short' | 'long' | 'day' | 'date';

/** Formats an API time (ISO 8601, UTC), in the display time zone unless the format is `date`. */
export function formatMoment(iso: string, format: MomentFormat = 'short'): string {
  return dateFormats[format].format(new Date(iso));
}

/** Formats the days of a period such as `2 – 31 Oct`, in the display time zone. `before` is its exclusive end. */
export function formatPeriod({ from, before }: { from: string; before: string }): string {
  const last = new Date(new Date(before).getTime() - 1);
  return dateFormats.range.formatRange(new Date(from), last);
}

/** Formats the date of a bank line, such as `2026-11-21` or `2026-11-21T14:05:00`, which has no time zone. */
export function formatBankDate(date: string): string {
  const [day = '', time] = date.split('T');
  return [formatMoment(day, 'date'), time].filter(Boolean).join(', ');
}

/** Returns the format of a rate's time. Feeds publish rates by date, but manual rates have an exact time. */
export function getRateFormat(iso: string): MomentFormat {
  return /T00:00:00(\.0+)?Z$/.test(iso) ? 'date' : 'day';
}

export function getDisplayTimeZone(): string {
  return displayTimeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Formats a time for a `datetime-local` field, in the display time zone. */
export function toFieldTime(time: Date): string {
  return toLocalTime(time, getDisplayTimeZone()).slice(0, 16);
}

/** Parses the value of a `datetime-local` field; returns null if it is invalid. */
export function parseFieldTime(text: string): Date | null {
  if (Number.isNaN(Date.parse(`${text}Z`))) return null;
  return toInstant(text, getDisplayTimeZone());
}

/** Returns the start of a day (`2026-11-21`) in the display time zone, or null if the day is invalid. */
export function startOfDay(day: string): Date | null {
  return parseFieldTime(`${day}T00:00`);
}

export function formatMilliseconds(ms: number): string {
  if (ms < 1000) return fillText(t.format.ms, { ms });
  const seconds = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(ms / 1000);
  return fillText(t.format.seconds, { seconds });
}
