import { dayMs } from '../../../kit/duration.ts';
import { toInstant, toLocalTime } from '../../../kit/local-time.ts';

/** The local time at which daily summaries are sent. */
const summaryTime = '08:00:00';

/** Returns the next time after `now` at which daily summaries are sent in the time zone of the merchant. */
export function getNextSummary(now: Date, timeZone: string): Date {
  const [today, tomorrow] = [now, new Date(now.getTime() + dayMs)].map((at) =>
    toInstant(`${toLocalTime(at, timeZone).slice(0, 10)}T${summaryTime}`, timeZone),
  ) as [Date, Date];
  return today > now ? today : tomorrow;
}
