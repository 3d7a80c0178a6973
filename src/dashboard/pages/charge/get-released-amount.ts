import { isNegative, sumDecimals } from '../../format/amount.ts';

/** The reasons for which a charge that ended releases its part payments. */
export const releaseReasons: ReadonlySet<string> = new Set(['charge_expired', 'charge_cancelled']);

type ReleasingCharge = {
  allocations:
    | readonly { amount: string; reason: string; transfer: { status: string; amountUnallocated: string } }[]
    | null;
};

/** Returns how much the charge released when it ended, as far as it is still unallocated. */
export function getReleasedAmount({ allocations }: ReleasingCharge): string {
  const released = (allocations ?? []).filter(
    ({ reason, transfer }) => releaseReasons.has(reason) && transfer.status === 'exception',
  );
  return sumDecimals(
    released.map(({ amount, transfer: { amountUnallocated } }) =>
      isNegative(sumDecimals([amount, amountUnallocated])) ? amountUnallocated : amount.replace('-', ''),
    ),
  );
}
