import { dayMs } from '../../../kit/duration.ts';

/** A span by which the clock is moved. */
export type Span = { days: number } | { months: number };

/** So much later, in UTC; a month leads to the same day, or to the last one of a shorter month. */
export function later(time: Date, span: Span): Date {
  if ('days' in span) return new Date(time.getTime() + span.days * dayMs);
  const moved = new Date(time);
  moved.setUTCMonth(time.getUTCMonth() + span.months, 1);
  const days = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
  moved.setUTCDate(Math.min(time.getUTCDate(), days));
  return moved;
}

/** `2027-01-31T12:00`, as a field for a time takes it, in UTC. */
export function fieldText(time: Date): string {
  return time.toISOString().slice(0, 16);
}
