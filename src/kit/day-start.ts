import { dayMs, hourMs, secondMs } from './duration.ts';
import { createDateFormatter } from './time-zone.ts';

/** An upper bound of every zone's distance from UTC. */
const offsetMaxMs = 15 * hourMs;

/**
 * Returns the first moment of a day (`YYYY-MM-DD`) in a time zone. Uses binary search, because a clock change
 * may skip or repeat midnight.
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

/** Returns the next calendar day (`YYYY-MM-DD`). */
export function nextDay(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + dayMs).toISOString().slice(0, 10);
}
