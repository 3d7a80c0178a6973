import { invalidInputError } from './errors.ts';

/** Throws `invalid_request` if the last day is before the first day. */
export function checkDayRange({ from, to }: { from: string; to: string }): void {
  if (to < from) throw invalidInputError('/endDate', 'must not be before startDate');
}
