import { invalidInputError } from './errors.ts';

export function checkDayRange({ from, to }: { from: string; to: string }): void {
  if (to < from) throw invalidInputError('/endDate', 'must not be before startDate');
}
