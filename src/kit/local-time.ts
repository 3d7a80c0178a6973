import { dayMs } from './duration.ts';

/**
 * Converts a local time without offset (`YYYY-MM-DDThh:mm:ss`, optional fraction) in a time zone to an instant. For a
 * time that a clock change skips or repeats, the offset before the change applies.
 */
export function toInstant(local: string, timeZone: string): Date {
  const asUtc = new Date(`${local.slice(0, 23)}Z`).getTime();
  const withOffsetAt = (instantMs: number) => asUtc - getOffsetMs(new Date(instantMs), timeZone);
  const before = withOffsetAt(asUtc - dayMs);
  const after = withOffsetAt(asUtc + dayMs);
  if (before === after || withOffsetAt(before) === before) return new Date(before);
  return new Date(withOffsetAt(after) === after ? after : before);
}

/** Returns the local time in the time zone: `YYYY-MM-DDThh:mm:ss.sss`. */
export function toLocalTime(at: Date, timeZone: string): string {
  return new Date(at.getTime() + getOffsetMs(at, timeZone)).toISOString().slice(0, 23);
}

/** Returns how far the time zone is ahead of UTC. */
function getOffsetMs(at: Date, timeZone: string): number {
  const name = getOffsetFormat(timeZone)
    .formatToParts(at)
    .find((part) => part.type === 'timeZoneName')?.value;
  const [, sign, hours, minutes = '0', seconds = '0'] =
    /^GMT([+-])(\d{2}):?(\d{2})?:?(\d{2})?$/.exec(name ?? '') ?? [];
  if (sign === undefined) return 0;
  const ms = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -ms : ms;
}

/** The formats are cached by time zone, because creating a format takes longer than using it. */
const offsetFormats = new Map<string, Intl.DateTimeFormat>();

function getOffsetFormat(timeZone: string): Intl.DateTimeFormat {
  const format =
    offsetFormats.get(timeZone) ?? new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  offsetFormats.set(timeZone, format);
  return format;
}
