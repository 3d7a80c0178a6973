import { isNegative, isZero, sumDecimals } from '../../format/amount.ts';

/** The reasons for which a charge that ended releases its part payments. */
export const releaseReasons: ReadonlySet<string> = new Set(['charge_expired', 'charge_cancelled']);

type ReleasingCharge = {
  status: string;
  allocations:
    | readonly {
        amount: string;
        reason: string;
        transfer: { id: string; status: string; amountUnallocated: string };
      }[]
    | null;
};

/**
 * Returns how much the charge released when it last ended, as far as it is still unallocated. An open charge may have
 * ended before, and a transfer may have been applied to the charge again since.
 */
export function getReleasedAmount({ status, allocations }: ReleasingCharge): string {
  if (status === 'pending') return '0';
  const byTransfer = Map.groupBy(allocations ?? [], ({ transfer }) => transfer.id);
  const released = [...byTransfer.values()].flatMap((group) => {
    const last = group.findLast(({ amount }) => isNegative(amount));
    const isReleased = last && releaseReasons.has(last.reason) && last.transfer.status === 'exception';
    return isReleased && isZero(sumDecimals(group.map(({ amount }) => amount))) ? last : [];
  });
  return sumDecimals(
    released.map(({ amount, transfer: { amountUnallocated } }) =>
      isNegative(sumDecimals([amount, amountUnallocated])) ? amountUnallocated : amount.replace('-', ''),
    ),
  );
}
