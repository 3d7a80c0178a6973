import { dayMs } from '../../../kit/duration.ts';

/** `from` is inclusive, `until` exclusive; null is unbounded. */
export type DateRange = { from: Date | null; until: Date | null };
export type TimeBucket = DateRange & { grain: 'month' | 'day' | 'part' };

/**
 * No charge is created outside these limits, so a bound beyond them is ignored. A bound near the last date that
 * PostgreSQL or ISO 8601 can represent would have no next day or month.
 */
const minTime = new Date(0);
const maxTime = new Date(Date.UTC(9999, 0));

/**
 * Splits a range into adjacent buckets without gaps or overlaps, newest first: whole months and the remaining
 * whole days in UTC, which `charge_count` stores, and the partial days at both ends, which it does not.
 */
export function splitIntoBuckets(range: DateRange): TimeBucket[] {
  const from = range.from && range.from > minTime ? range.from : null;
  const until = range.until && range.until < maxTime ? range.until : null;
  if ((from ?? minTime) >= (until ?? maxTime)) return [];
  const firstDay = from && ceilToDay(from);
  const endDay = until && startOfDay(until);
  if (firstDay && endDay && firstDay >= endDay) return [{ grain: 'part', from, until }];
  const firstMonth = firstDay && ceilToMonth(firstDay);
  const endMonth = endDay && startOfMonth(endDay);
  const inner: TimeBucket[] =
    firstMonth && endMonth && firstMonth >= endMonth
      ? [{ grain: 'day', from: firstDay, until: endDay }]
      : [
          { grain: 'day', from: endMonth, until: endDay },
          { grain: 'month', from: firstMonth, until: endMonth },
          { grain: 'day', from: firstDay, until: firstMonth },
        ];
  const buckets: TimeBucket[] = [
    { grain: 'part', from: endDay, until },
    ...inner,
    { grain: 'part', from, until: firstDay },
  ];
  // Drop empty buckets: the range may be unbounded, or may start or end exactly with a day or month.
  return buckets.filter(
    ({ grain, from: first, until: last }) => grain === 'month' || (first && last && first < last),
  );
}

/** Returns `time` if it is already the start of a day. */
function ceilToDay(time: Date): Date {
  return startOfDay(new Date(time.getTime() + dayMs - 1));
}

function startOfDay(time: Date): Date {
  return new Date(Math.floor(time.getTime() / dayMs) * dayMs);
}

function ceilToMonth(day: Date): Date {
  const start = startOfMonth(day);
  return start.getTime() === day.getTime() ? day : addMonth(start);
}

function startOfMonth(day: Date): Date {
  return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth()));
}

function addMonth(start: Date): Date {
  return new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1));
}

/** Returns the month or day that starts on this date (`YYYY-MM-DD`). */
export function toBucket(grain: 'month' | 'day', start: string): TimeBucket {
  const from = new Date(`${start}T00:00:00Z`);
  return { grain, from, until: grain === 'month' ? addMonth(from) : new Date(from.getTime() + dayMs) };
}
