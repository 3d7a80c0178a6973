import type { ReceivingAccount } from '../../../prisma/client/client.ts';
import { minuteMs } from '../../kit/duration.ts';
import { invalidInput } from '../../kit/errors.ts';
import { instantOf } from '../../kit/instant-of.ts';
import { localDate } from '../../kit/time-zone.ts';

/** Before this no transfer that anybody waits for was made; PostgreSQL's own limit lies far below. */
const earliest = '2000-01-01';
/** A clock of the bank's may run ahead of ours by so much. */
const futureLimitMs = 5 * minuteMs;

const form = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * When money was paid, as a bank feed tells it: ISO 8601, a date alone, or a time; a time without an offset is one of
 * the receiving account's time zone, and answered as `localTime` too. Error: 400 for anything else, for a day that is
 * none, and for the future.
 */
export function parsePaidAt(
  text: string,
  account: Pick<ReceivingAccount, 'timeZone'>,
  now: Date,
): { paidAt: Date; paidAtIsDate: boolean; localTime?: string } {
  const [, date = '', time, offset] = form.exec(text) ?? [];
  const midnight = new Date(`${date}T00:00:00Z`);
  const isDay = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(date);
  if (date < earliest || !isDay) throw invalidInput('/paidAt', 'must be an ISO 8601 date or time');
  const latest = new Date(now.getTime() + futureLimitMs);
  const paidAt = time === undefined ? midnight : instant(date, time, offset, account.timeZone);
  if (Number.isNaN(paidAt.getTime())) throw invalidInput('/paidAt', 'must be an ISO 8601 date or time');
  const isFuture = time === undefined ? date > localDate(latest, account.timeZone) : paidAt > latest;
  if (isFuture) throw invalidInput('/paidAt', 'must not be in the future');
  const isLocal = time !== undefined && offset === undefined;
  return {
    paidAt,
    paidAtIsDate: time === undefined,
    ...(isLocal && {
      localTime: new Date(`${withSeconds(date, time).slice(0, 23)}Z`).toISOString().slice(0, 23),
    }),
  };
}

function instant(date: string, time: string, offset: string | undefined, timeZone: string): Date {
  const local = withSeconds(date, time);
  if (offset !== undefined) return new Date(`${local}${offset}`);
  return Number.isNaN(Date.parse(`${local}Z`)) ? new Date(Number.NaN) : instantOf(local, timeZone);
}

function withSeconds(date: string, time: string): string {
  return `${date}T${time.length === 5 ? `${time}:00` : time}`;
}
