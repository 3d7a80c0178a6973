import type { PeriodUnit } from '../../../../prisma/client/client.ts';
import { dayMs } from '../../../kit/duration.ts';

/** The time between two payments, such as 1 month or 14 days. */
export type Interval = { unit: PeriodUnit; count: number };

export function addDays(time: Date, days: number): Date {
  return new Date(time.getTime() + days * dayMs);
}

/** Returns the day of the month in UTC, 1 to 31. */
export function getDayOfMonth(time: Date): number {
  return time.getUTCDate();
}

/**
 * Adds one interval in UTC and keeps the time of day. An interval of months or years ends on the anchor day,
 * or on the last day of a shorter month: 31 January, 28 February, 31 March.
 */
export function addInterval(time: Date, interval: Interval, anchorDay: number): Date {
  const { unit, count } = interval;
  if (unit === 'days') return addDays(time, count);
  const months = time.getUTCMonth() + (unit === 'years' ? 12 * count : count);
  const later = new Date(time);
  // Start from day 1, because the day of `time` may not exist in the new month.
  later.setUTCFullYear(time.getUTCFullYear(), months, 1);
  later.setUTCDate(Math.min(anchorDay, daysInMonth(later)));
  return later;
}

function daysInMonth(time: Date): number {
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1, 0)).getUTCDate();
}
