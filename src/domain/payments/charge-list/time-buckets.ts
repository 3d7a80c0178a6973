import { dayMs } from '../../../kit/duration.ts';

/**
 * How a stretch of time is made up of the spans that charges are counted in (see charge_count): whole months, whole days
 * beside them, and at its ends parts of a day, whose charges are counted themselves. All in UTC.
 */

/** From inclusive, until exclusive; null: from the first, or on and on. */
export type DateRange = { from: Date | null; until: Date | null };
export type TimeBucket = DateRange & { grain: 'month' | 'day' | 'part' };

/**
 * Nothing is made outside of this. Times near the ends of what PostgreSQL and ISO 8601 write have no day or month
 * beside them.
 */
const minTime = new Date(0);
const maxTime = new Date(Date.UTC(9999, 0));

/** The spans of a stretch, newest first; they do not overlap, and leave nothing out. */
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
  // Where the stretch is open, or begins or ends at a border, there is nothing beside the months.
  return buckets.filter(
    ({ grain, from: first, until: last }) => grain === 'month' || (first && last && first < last),
  );
}

/** The time itself where a day begins with it. */
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

/** The month or day that begins with this date, `YYYY-MM-DD`. */
export function toBucket(grain: 'month' | 'day', start: string): TimeBucket {
  const from = new Date(`${start}T00:00:00Z`);
  return { grain, from, until: grain === 'month' ? addMonth(from) : new Date(from.getTime() + dayMs) };
}
