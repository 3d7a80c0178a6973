import { toLocalDate } from '../../../kit/time-zone.ts';

/**
 * Returns whether a transfer was paid no later than `expiresAt`. A transfer with only a date is in time
 * through the date of `expiresAt` in the time zone of the receiving account.
 */
export function isPaidInTime(
  transfer: { paidAt: Date; isPaidAtDateOnly: boolean },
  charge: { expiresAt: Date },
  account: { timeZone: string },
): boolean {
  if (!transfer.isPaidAtDateOnly) return transfer.paidAt <= charge.expiresAt;
  return transfer.paidAt.toISOString().slice(0, 10) <= toLocalDate(charge.expiresAt, account.timeZone);
}

type PaymentAllocation = {
  amount: bigint;
  transferId: string;
  transfer: { paidAt: Date; isPaidAtDateOnly: boolean };
};

/** Returns whether any transfer that is still applied to the charge was paid after the charge expired. */
export function isPaidLate(charge: {
  expiresAt: Date;
  receivingAccount: { timeZone: string };
  allocations: PaymentAllocation[];
}): boolean {
  const byTransfer = Map.groupBy(charge.allocations, ({ transferId }) => transferId);
  return [...byTransfer.values()].some((allocations) => {
    const allocated = allocations.reduce((sum, { amount }) => sum + amount, 0n);
    return allocated > 0n && !isPaidInTime(allocations[0]!.transfer, charge, charge.receivingAccount);
  });
}
