import { type IdNoun, lowestIdAt } from '../../kit/id.ts';

/**
 * Filters a list by creation time, both bounds inclusive. IDs begin with their time, so the index that orders
 * the list also serves the filter and its count.
 */
export function createdBetween(
  noun: IdNoun,
  { startDate, endDate }: { startDate?: Date | undefined; endDate?: Date | undefined },
): { AND?: { id: { gte?: string; lt?: string } } } {
  if (!startDate && !endDate) return {};
  return {
    AND: {
      id: {
        ...(startDate && { gte: lowestIdAt(noun, startDate) }),
        ...(endDate && { lt: lowestIdAt(noun, toExclusiveEnd(endDate)) }),
      },
    },
  };
}

/** Returns the first moment after `end`, in whole milliseconds. */
export function toExclusiveEnd(end: Date): Date {
  return new Date(end.getTime() + 1);
}
