import { isDay } from '../format/days.ts';

/** A period of days, including both ends. */
export type SelectedPeriod = { from: string; to: string };

/** The minimum rejects partially typed years, such as 2, 20 or 202. */
const minDay = '2000-01-01';

/**
 * Returns the period after a change of one end, or undefined if the period stays the same. While the field has
 * the focus, the other end never changes, because the input may be incomplete. On blur, the other end moves to
 * the same day if it would be on the wrong side of the changed end.
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
