import type { Charge, Transfer } from '../../../../prisma/client/client.ts';
import { getUnallocatedAmount } from '../../payments/allocation/lock-transfer.ts';

/** A charge, and the part of the transfer that it would receive, in minor units. */
export type SplitPart = { charge: Charge; amount: bigint };

/** Limits the combinations. */
const chargesMax = 12;

/**
 * Returns the charges among the referenced ones whose outstanding amounts add up to exactly the unallocated
 * amount of the transfer: all of them, or two. Returns an empty list if there are none, or several pairs.
 */
export function suggestSplit(transfer: Transfer, referenced: readonly Charge[]): SplitPart[] {
  const unallocated = getUnallocatedAmount(transfer);
  const parts = referenced
    .filter(({ status, receivingAccountId, customerCurrency }) => {
      const isOfAccount = receivingAccountId === transfer.receivingAccountId;
      return status !== 'completed' && isOfAccount && customerCurrency === transfer.currency;
    })
    .slice(0, chargesMax)
    .map((charge) => ({ charge, amount: charge.customerAmount - charge.amountReceived }))
    .filter(({ amount }) => amount > 0n);
  const addsUp = (combination: SplitPart[]) =>
    combination.length > 1 && combination.reduce((sum, { amount }) => sum + amount, 0n) === unallocated;
  if (addsUp(parts)) return parts;
  const pairs = parts.flatMap((one, i) => parts.slice(i + 1).map((other) => [one, other])).filter(addsUp);
  return pairs.length === 1 ? pairs[0]! : [];
}
