type UnpaidCharge = { status: string; allocations: readonly unknown[] };

/** What is said of a charge for which nothing counts. */
export function formatNothingReceived({ status, allocations }: UnpaidCharge): string {
  // What was counted stays beside what took it back.
  if (allocations.length > 0) return 'Nothing: the payment was reversed or unassigned';
  return status === 'completed' ? 'Completed manually, without a transfer' : 'Nothing yet';
}
