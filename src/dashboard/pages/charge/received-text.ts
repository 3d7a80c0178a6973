type Charge = { status: string; allocations: readonly unknown[] };

/** What is said of a charge for which nothing counts. */
export function nothingText({ status, allocations }: Charge): string {
  // What was counted stays beside what took it back.
  if (allocations.length > 0) return 'Nothing: it was taken back';
  return status === 'completed' ? 'Completed by hand, without a transfer' : 'Nothing yet';
}
