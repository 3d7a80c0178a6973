const long = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const short = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });

/** A time of the API (ISO 8601, UTC) in the reader's own form and time zone. */
export function formatMoment(iso: string, form: 'short' | 'long' | 'day' = 'short'): string {
  const time = new Date(iso);
  if (form === 'day') return day.format(time);
  if (form === 'long') return long.format(time);
  return isToday(time) ? clock.format(time) : short.format(time);
}

function isToday(time: Date): boolean {
  return time.toDateString() === new Date().toDateString();
}

/** When the reader's day began, as the API takes times. */
export function startOfToday(now = new Date()): string {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate()).toISOString();
}

export function formatDuration(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  return `${new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 }).format(ms / 1000)} s`;
}
