import { dayMs, hourMs, secondMs } from './duration.ts';
import { createDateFormatter } from './time-zone.ts';

/** No zone is further from UTC than this. */
const offsetMaxMs = 15 * hourMs;

/**
 * The first moment of a day (`YYYY-MM-DD`) by the clocks of a time zone, whatever they did that night: found by halving,
 * since a clock change may skip midnight or repeat it.
 */
export function dayStart(day: string, timeZone: string): Date {
  const formatDate = createDateFormatter(timeZone);
  const midnight = Date.parse(`${day}T00:00:00Z`);
  let before = (midnight - offsetMaxMs) / secondMs;
  let within = (midnight + offsetMaxMs) / secondMs;
  while (within - before > 1) {
    const middle = Math.floor((before + within) / 2);
    if (formatDate(new Date(middle * secondMs)) >= day) within = middle;
    else before = middle;
  }
  return new Date(within * secondMs);
}

/** The day after. */
export function nextDay(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + dayMs).toISOString().slice(0, 10);
}
