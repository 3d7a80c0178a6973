import { wasPaidInTime } from '../allocation/paid-in-time.ts';

type Counted = {
  amount: bigint;
  transferId: string;
  transfer: { paidAt: Date; paidAtIsDate: boolean };
};

/** Whether money that counts for the charge, after corrections, was paid when the charge had already ended. */
export function isPaidLate(charge: {
  expiresAt: Date;
  receivingAccount: { timeZone: string };
  allocations: Counted[];
}): boolean {
  const byTransfer = Map.groupBy(charge.allocations, ({ transferId }) => transferId);
  return [...byTransfer.values()].some((parts) => {
    const counted = parts.reduce((sum, { amount }) => sum + amount, 0n);
    return counted > 0n && !wasPaidInTime(parts[0]!.transfer, charge, charge.receivingAccount);
  });
}
