import { invalidInput } from './errors.ts';

/** Whether it is a time zone of the IANA database, by name: no bare offset. */
function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

/** Error: `invalid_request` at `/timeZone` for anything else. */
export function checkTimeZone(timeZone: string): string {
  if (isTimeZone(timeZone)) return timeZone;
  throw invalidInput('/timeZone', 'must be an IANA time zone: Asia/Hong_Kong');
}

/** `YYYY-MM-DD` of a moment in a time zone. */
export function localDate(at: Date, timeZone: string): string {
  return datesIn(timeZone)(at);
}

/** The same of many moments. */
export function datesIn(timeZone: string): (at: Date) => string {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  return (at) => format.format(at);
}

/**
 * The moment of a local time without offset (`YYYY-MM-DDThh:mm:ss`, with fraction or not) in a time zone. A time that a
 * clock change skips or repeats is read with the offset before the change.
 */
export function instantOf(local: string, timeZone: string): Date {
  const asUtc = new Date(`${local.slice(0, 23)}Z`).getTime();
  const guess = asUtc - offsetMs(new Date(asUtc), timeZone);
  return new Date(asUtc - offsetMs(new Date(guess), timeZone));
}

/** How far the zone's clocks are ahead of UTC at a moment. */
function offsetMs(at: Date, timeZone: string): number {
  const name = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
    .formatToParts(at)
    .find((part) => part.type === 'timeZoneName')?.value;
  const [, sign, hours, minutes = '0', seconds = '0'] =
    /^GMT([+-])(\d{2}):?(\d{2})?:?(\d{2})?$/.exec(name ?? '') ?? [];
  if (sign === undefined) return 0;
  const ms = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -ms : ms;
}
