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
  if (shownZone) return new Date(midnightBefore(now, shownZone)).toISOString();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate()).toISOString();
}

/** The beginning of the day in a zone: by its clock now, and once more where that has changed since. */
function midnightBefore(now: Date, timeZone: string): number {
  const guess = now.getTime() - msOfDay(now, timeZone);
  const early = msOfDay(new Date(guess), timeZone);
  const dayMs = 24 * 3_600_000;
  return early > dayMs / 2 ? guess + dayMs - early : guess - early;
}

/** How long ago, by its clock, the day began. */
function msOfDay(at: Date, timeZone: string): number {
  const time = new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'medium' }).format(at);
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  return ((hours * 60 + minutes) * 60 + seconds) * 1000 + at.getMilliseconds();
}

export function formatDuration(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  return `${new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 }).format(ms / 1000)} s`;
}
