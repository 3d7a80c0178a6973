import type { PeriodUnit } from '../../../../prisma/client/client.ts';
import { dayMs } from '../../../kit/duration.ts';

/** The time between two payments, such as 1 month or 14 days. */
export type Interval = { unit: PeriodUnit; count: number };

export function addDays(time: Date, days: number): Date {
  return new Date(time.getTime() + days * dayMs);
}

/** The day of the month, 1 to 31, in UTC. */
export function getDayOfMonth(time: Date): number {
  return time.getUTCDate();
}

/**
 * One interval later, in UTC, at the same time of day. Months and years lead to the anchor day, or to the last day of a
 * month that is too short for it: 31 January, 28 February, 31 March.
 */
export function addInterval(time: Date, interval: Interval, anchorDay: number): Date {
  const { unit, count } = interval;
  if (unit === 'days') return addDays(time, count);
  const months = time.getUTCMonth() + (unit === 'years' ? 12 * count : count);
  const later = new Date(time);
  // By way of the first: the day of now may not exist in that month.
  later.setUTCFullYear(time.getUTCFullYear(), months, 1);
  later.setUTCDate(Math.min(anchorDay, daysInMonth(later)));
  return later;
}

function daysInMonth(time: Date): number {
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1, 0)).getUTCDate();
}
