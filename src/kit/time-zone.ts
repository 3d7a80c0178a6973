import { invalidInputError } from './errors.ts';

/** Returns whether the text names an IANA time zone; bare offsets are not accepted. */
function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

/** Returns the time zone. Throws `invalid_request` naming `/timeZone` unless it is an IANA time zone. */
export function checkTimeZone(timeZone: string): string {
  if (isTimeZone(timeZone)) return timeZone;
  throw invalidInputError('/timeZone', 'must be an IANA time zone, such as Asia/Hong_Kong');
}

/** Returns the date in a time zone: `YYYY-MM-DD`. */
export function toLocalDate(at: Date, timeZone: string): string {
  return createDateFormatter(timeZone)(at);
}

/** Like `toLocalDate`, but faster for many dates of one time zone. */
export function createDateFormatter(timeZone: string): (at: Date) => string {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  return (at) => format.format(at);
}
