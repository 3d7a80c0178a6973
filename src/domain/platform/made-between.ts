import { type IdNoun, timeBound } from '../../kit/id.ts';

/**
 * The part of a list's filter that says when: from one moment to another, both inclusive. Ids begin with the time, and the
 * index that orders the list is one of ids: it finds them, and counts them without looking at rows.
 */
export function madeBetween(
  noun: IdNoun,
  { startDate, endDate }: { startDate?: Date | undefined; endDate?: Date | undefined },
): { AND?: { id: { gte?: string; lt?: string } } } {
  if (!startDate && !endDate) return {};
  return {
    AND: {
      id: {
        ...(startDate && { gte: timeBound(noun, startDate) }),
        ...(endDate && { lt: timeBound(noun, after(endDate)) }),
      },
    },
  };
}

/** The first moment that is no longer included. */
export function after(end: Date): Date {
  return new Date(end.getTime() + 1);
}
