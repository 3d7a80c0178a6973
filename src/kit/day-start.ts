import { dayMs, hourMs, secondMs } from './duration.ts';
import { createDateFormatter } from './time-zone.ts';

/** No time zone differs from UTC by more than this. */
const utcOffsetMaxMs = 15 * hourMs;

/**
 * Returns the first moment of a day (`YYYY-MM-DD`) in a time zone. Uses binary search, because a clock change
 * may skip or repeat midnight.
 */
export function getDayStart(day: string, timeZone: string): Date {
  const formatDate = createDateFormatter(timeZone);
  const midnight = Date.parse(`${day}T00:00:00Z`);
  let before = (midnight - utcOffsetMaxMs) / secondMs;
  let within = (midnight + utcOffsetMaxMs) / secondMs;
  while (within - before > 1) {
    const middle = Math.floor((before + within) / 2);
    if (formatDate(new Date(middle * secondMs)) >= day) within = middle;
    else before = middle;
  }
  return new Date(within * secondMs);
}

/** Returns the next calendar day (`YYYY-MM-DD`). */
export function getNextDay(day: string): string {
  return addDays(day, 1);
}

/** Returns the calendar day (`YYYY-MM-DD`) that is `count` days later. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * dayMs).toISOString().slice(0, 10);
}

/** Returns the number of calendar days (`YYYY-MM-DD`) from the first to the last, including both. */
export function countDays(first: string, last: string): number {
  return (Date.parse(`${last}T00:00:00Z`) - Date.parse(`${first}T00:00:00Z`)) / dayMs + 1;
}
