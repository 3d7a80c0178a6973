import { toLocalDate } from '../../../kit/time-zone.ts';

/**
 * Returns whether money was paid before the charge expired. A transfer with only a date is in time until the
 * date of `expiresAt` in the receiving account's time zone, inclusive.
 */
export function isPaidInTime(
  transfer: { paidAt: Date; isPaidAtDateOnly: boolean },
  charge: { expiresAt: Date },
  account: { timeZone: string },
): boolean {
  if (!transfer.isPaidAtDateOnly) return transfer.paidAt <= charge.expiresAt;
  return transfer.paidAt.toISOString().slice(0, 10) <= toLocalDate(charge.expiresAt, account.timeZone);
}
