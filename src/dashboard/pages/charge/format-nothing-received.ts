type UnpaidCharge = { status: string; allocations: readonly unknown[] | null };

/** Explains why no amount is applied to a charge. */
export function formatNothingReceived({ status, allocations }: UnpaidCharge): string {
  // A reversed or unassigned allocation stays in the list next to its reversal.
  if (allocations?.length) return 'Nothing: the payment was reversed or unassigned';
  return status === 'completed' ? 'Completed manually, without a transfer' : 'Nothing yet';
}
