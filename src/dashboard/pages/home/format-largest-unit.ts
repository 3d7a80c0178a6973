import { locale } from '../../language/texts.ts';

const units = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const;

/** Formats a duration in its largest unit, such as `12 min`; null as a dash. */
export function formatLargestUnit(seconds: number | null): string {
  if (seconds === null) return '—';
  const [size, unit] = units.find(([length]) => seconds >= length) ?? units[3];
  const format = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: size > 60 ? 1 : 0,
  });
  return format.format(seconds / size);
}
