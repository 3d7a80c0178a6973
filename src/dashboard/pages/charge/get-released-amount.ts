import { isNegative, sumDecimals } from '../../format/amount.ts';

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
 * ended before.
 */
export function getReleasedAmount({ status, allocations }: ReleasingCharge): string {
  if (status === 'pending') return '0';
  const released = (allocations ?? []).filter(
    ({ reason, transfer }) => releaseReasons.has(reason) && transfer.status === 'exception',
  );
  const lastByTransfer = new Map(released.map((allocation) => [allocation.transfer.id, allocation]));
  return sumDecimals(
    [...lastByTransfer.values()].map(({ amount, transfer: { amountUnallocated } }) =>
      isNegative(sumDecimals([amount, amountUnallocated])) ? amountUnallocated : amount.replace('-', ''),
    ),
  );
}
