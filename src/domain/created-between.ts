/** The part of a list's filter that says when: from one moment to another, both inclusive. */
export function createdBetween({
  startDate,
  endDate,
}: {
  startDate?: Date | undefined;
  endDate?: Date | undefined;
}): { createdAt?: { gte?: Date; lte?: Date } } {
  if (!startDate && !endDate) return {};
  return { createdAt: { ...(startDate && { gte: startDate }), ...(endDate && { lte: endDate }) } };
}
