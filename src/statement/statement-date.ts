const daysOfMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** The last day of a month (1 to 12); 0 for a month that does not exist. */
export function getLastDay(year: number, month: number): number {
  const isLeapYear = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return month === 2 && isLeapYear ? 29 : (daysOfMonth[month - 1] ?? 0);
}

/** Whether `YYYY-MM-DD` is a day of the calendar. */
export function isCalendarDate(day: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) return false;
  const date = Number(day.slice(8));
  return date >= 1 && date <= getLastDay(Number(day.slice(0, 4)), Number(day.slice(5, 7)));
}
