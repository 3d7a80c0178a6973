import type { StatementEntry } from '../../../statement/statement-entry.ts';

export type SkipReason = 'provisional' | 'pending' | 'information' | 'zero_amount';

/**
 * Returns why an entry moves no money, or undefined if it is recorded. A provisional entry is recorded when
 * the statement with its booking is imported, so that no charge is completed by money that may disappear.
 */
export function getSkipReason({ status, amount }: StatementEntry): SkipReason | undefined {
  if (status !== 'booked') return status;
  return amount.minor === 0n ? 'zero_amount' : undefined;
}
