import { type IdNoun, lowestIdAt } from '../../kit/id.ts';

/**
 * The part of a list's filter that says when: from one moment to another, both inclusive. Ids begin with the time, and the
 * index that orders the list is one of ids: it finds them, and counts them without looking at rows.
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

/** The first moment that is no longer included. */
export function toExclusiveEnd(end: Date): Date {
  return new Date(end.getTime() + 1);
}
