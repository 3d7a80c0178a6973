import { isPaidInTime } from '../allocation/is-paid-in-time.ts';

type PaymentAllocation = {
  amount: bigint;
  transferId: string;
  transfer: { paidAt: Date; isPaidAtDateOnly: boolean };
};

/** Returns whether money allocated to the charge, net of corrections, was paid after the charge expired. */
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
