import { toLocalDate } from '../../../kit/time-zone.ts';

/**
 * Whether money was paid before the charge ended. A transfer that carries only a date was in time when its date is not
 * after the date of `expiresAt` in the receiving account's time zone.
 */
export function isPaidInTime(
  transfer: { paidAt: Date; paidAtIsDate: boolean },
  charge: { expiresAt: Date },
  account: { timeZone: string },
): boolean {
  if (!transfer.paidAtIsDate) return transfer.paidAt <= charge.expiresAt;
  return transfer.paidAt.toISOString().slice(0, 10) <= toLocalDate(charge.expiresAt, account.timeZone);
}
