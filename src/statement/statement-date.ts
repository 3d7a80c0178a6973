const daysOfMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Returns the last day of a month (1 to 12), or 0 for an invalid month. */
export function getLastDay(year: number, month: number): number {
  const isLeapYear = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return month === 2 && isLeapYear ? 29 : (daysOfMonth[month - 1] ?? 0);
}

/** Returns whether `YYYY-MM-DD` is a calendar date. */
export function isCalendarDate(day: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) return false;
  const date = Number(day.slice(8));
  return date >= 1 && date <= getLastDay(Number(day.slice(0, 4)), Number(day.slice(5, 7)));
}
