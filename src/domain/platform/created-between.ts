import { getLowestId, type IdType } from '../../kit/id.ts';

/**
 * Returns a condition on the creation time of rows, with inclusive bounds. IDs begin with their creation
 * time, so the condition uses the index by which lists are ordered.
 */
export function createdBetween(
  objectType: IdType,
  { startDate, endDate }: { startDate?: Date | undefined; endDate?: Date | undefined },
): { id?: { gte?: string; lt?: string } } {
  if (!startDate && !endDate) return {};
  return {
    id: {
      ...(startDate && { gte: getLowestId(objectType, startDate) }),
      ...(endDate && { lt: getLowestId(objectType, toExclusiveEnd(endDate)) }),
    },
  };
}

/** Returns the first moment after `end`, in whole milliseconds. */
export function toExclusiveEnd(end: Date): Date {
  return new Date(end.getTime() + 1);
}
