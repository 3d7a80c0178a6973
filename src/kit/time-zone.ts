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
  throw invalidInput('/timeZone', 'must be an IANA time zone, such as Asia/Hong_Kong');
}

/** `YYYY-MM-DD` of a moment in a time zone. */
export function toLocalDate(at: Date, timeZone: string): string {
  return createDateFormatter(timeZone)(at);
}

/** The same of many moments. */
export function createDateFormatter(timeZone: string): (at: Date) => string {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  return (at) => format.format(at);
}
