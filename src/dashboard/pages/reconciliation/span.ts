import { isDay } from '../../format/days.ts';

/** From one day to another, both within. */
export type Span = { from: string; to: string };

/** A year that is typed passes through earlier ones: 2, 20, 202. */
const firstDay = '2000-01-01';

/**
 * The days once a field for one end says so; undefined where they stay as they are. As long as somebody is in the field
 * the other end stays: what stands there may be half of what is meant. When they leave it goes along.
 */
export function spanWith(
  span: Span,
  { end, day, isLeft }: { end: keyof Span; day: string; isLeft: boolean },
): Span | undefined {
  if (!isDay(day) || day < firstDay || day === span[end]) return undefined;
  const next = { ...span, [end]: day };
  if (next.from <= next.to) return next;
  return isLeft ? { from: day, to: day } : undefined;
}
