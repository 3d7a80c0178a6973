import { isDay } from '../../format/days.ts';

/** From one day to another, both within. */
export type SelectedPeriod = { from: string; to: string };

/** A year that is typed passes through earlier ones: 2, 20, 202. */
const minDay = '2000-01-01';

/**
 * The days once a field for one end says so; undefined where they stay as they are. As long as somebody is in the field
 * the other end stays: what stands there may be half of what is meant. When they leave it goes along.
 */
export function updatePeriod(
  period: SelectedPeriod,
  { end, day, isBlurred }: { end: keyof SelectedPeriod; day: string; isBlurred: boolean },
): SelectedPeriod | undefined {
  if (!isDay(day) || day < minDay || day === period[end]) return undefined;
  const newPeriod = { ...period, [end]: day };
  if (newPeriod.from <= newPeriod.to) return newPeriod;
  return isBlurred ? { from: day, to: day } : undefined;
}
