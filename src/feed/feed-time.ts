import { toInstant } from '../kit/local-time.ts';

/**
 * How a bank writes times: `iso` (ISO 8601, also with a space), `day_first` (31/12/2026 11:59:00 PM), `compact`
 * (20261231235900), and Unix time in seconds or milliseconds.
 */
export const feedTimeFormats = ['iso', 'day_first', 'compact', 'unix_seconds', 'unix_milliseconds'] as const;
export type FeedTimeFormat = (typeof feedTimeFormats)[number];

/**
 * Converts a time to ISO 8601: an instant if the text has an offset or `timeZone` is known, otherwise a local time.
 * A date remains a date. Returns undefined for a text in another format.
 */
export function toIsoTime(
  text: string,
  { format, timeZone }: { format: FeedTimeFormat; timeZone?: string | undefined },
): string | undefined {
  if (format === 'unix_seconds') return toUnixTime(text, 1000);
  if (format === 'unix_milliseconds') return toUnixTime(text, 1);
  const local = localReaders[format](text.trim());
  const hasTime = local !== undefined && local.length > 10;
  const hasOffset = hasTime && /(?:Z|[+-]\d{2}:?\d{2})$/.test(local);
  if (!hasTime || hasOffset || timeZone === undefined) return local;
  if (Number.isNaN(Date.parse(`${local}Z`))) return undefined;
  return toInstant(local, timeZone).toISOString();
}

function toUnixTime(text: string, unitMs: number): string | undefined {
  if (!/^\d{1,14}$/.test(text)) return undefined;
  const time = new Date(Number(text) * unitMs);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

const localReaders: Record<'iso' | 'day_first' | 'compact', (text: string) => string | undefined> = {
  iso(text) {
    const pattern =
      /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) ?(Z|[+-]\d{2}:?\d{2})?)?$/i;
    const [match, date, time, offset = ''] = pattern.exec(text) ?? [];
    if (match === undefined) return undefined;
    return time === undefined ? date : `${date}T${time}${offset.toUpperCase()}`;
  },
  day_first(text) {
    const pattern =
      /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})(?: (\d{1,2}):(\d{2})(?::(\d{2}))?(?: ?([AP])M)?)?$/i;
    const [match, day = '', month = '', year, hour, minute, second = '00', half] = pattern.exec(text) ?? [];
    if (match === undefined) return undefined;
    const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
    if (hour === undefined) return date;
    if (half !== undefined && (Number(hour) < 1 || Number(hour) > 12)) return undefined;
    const hour24 =
      half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toUpperCase() === 'P' ? 12 : 0);
    return `${date}T${String(hour24).padStart(2, '0')}:${minute}:${second}`;
  },
  compact(text) {
    const [match, year, month, day, hour, minute, second = '00'] =
      /^(\d{4})(\d{2})(\d{2})(?:(\d{2})(\d{2})(\d{2})?)?$/.exec(text) ?? [];
    if (match === undefined) return undefined;
    const date = `${year}-${month}-${day}`;
    return hour === undefined ? date : `${date}T${hour}:${minute}:${second}`;
  },
};
