import type { PeriodUnit } from '../../prisma/client/client.ts';
import { fillText } from './fill-text.ts';
import type { Strings } from './languages.ts';

const unitNames = { days: 'day', months: 'month', years: 'year' } as const satisfies Record<
  PeriodUnit,
  string
>;

/** Returns the interval, such as `every month` or `every 3 months`. */
export function formatInterval(
  { strings, locale }: { strings: Strings; locale: string },
  interval: { unit: PeriodUnit; count: number },
): string {
  const { intervals } = strings.subscription;
  if (interval.count === 1) return intervals[interval.unit];
  const text = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: unitNames[interval.unit],
    unitDisplay: 'long',
  }).format(interval.count);
  return fillText(intervals.multiple, { interval: text });
}
