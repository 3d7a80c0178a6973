type UnpaidCharge = { status: string; allocations: readonly { reason: string }[] | null };

const releaseReasons = new Set(['charge_expired', 'charge_cancelled']);

/** Explains why no amount is applied to a charge. */
export function formatNothingReceived({ status, allocations }: UnpaidCharge): string {
  // A reversed, unassigned or released allocation stays in the list next to its reversal.
  if (allocations?.some(({ reason }) => releaseReasons.has(reason)))
    return 'Nothing: the payment was released when the charge ended';
  if (allocations?.length) return 'Nothing: the payment was reversed or unassigned';
  return status === 'completed' ? 'Completed manually, without a transfer' : 'Nothing yet';
}
