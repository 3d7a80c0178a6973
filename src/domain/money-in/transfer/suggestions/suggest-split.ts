import type { Charge, Transfer } from '../../../../../prisma/client/client.ts';
import { getUnallocatedAmount } from '../../../payments/allocation/lock-transfer.ts';
import { type FeeRule, getFeeLimit, inferBankFee } from '../bank-fee.ts';

/** A charge, and the part of the transfer that it would receive, in minor units. */
export type SplitPart = { charge: Charge; amount: bigint };

/** Limits the number of pairs to compare. */
const chargesMax = 12;

/**
 * Returns the referenced charges whose outstanding amounts add up to exactly the unallocated amount of the
 * transfer: all of them, or the only such pair. All of them may also add up to more, if the rule of the
 * account explains the difference as a fee, which is divided. Includes completed charges whose payment was
 * undone with its statement. Returns an empty list if nothing adds up.
 */
export function suggestSplit(
  transfer: Transfer,
  referenced: readonly Charge[],
  options: { feeRule: FeeRule; undoneIds: ReadonlySet<string>; sharedIds: readonly string[] },
): SplitPart[] {
  const { feeRule, undoneIds, sharedIds } = options;
  const unallocated = getUnallocatedAmount(transfer);
  const parts = referenced
    .filter(({ id, status, receivingAccountId, customerCurrency }) => {
      const isOfAccount = sharedIds.includes(receivingAccountId);
      const isUnpaid = status !== 'completed' || undoneIds.has(id);
      return isUnpaid && isOfAccount && customerCurrency === transfer.currency;
    })
    .slice(0, chargesMax)
    .map((charge) => ({ charge, amount: charge.customerAmount - charge.amountReceived }))
    .filter(({ amount }) => amount > 0n);
  const addsUp = (combination: SplitPart[]) =>
    combination.length > 1 && sumParts(combination) === unallocated;
  if (addsUp(parts)) return parts;
  const pairs = parts.flatMap((part, i) => parts.slice(i + 1).map((other) => [part, other])).filter(addsUp);
  if (pairs.length === 1) return pairs[0]!;
  const fee = inferBankFee(feeRule, { requested: sumParts(parts), received: unallocated });
  return parts.length > 1 && fee > 0n ? deductFee(parts, fee, feeRule) : [];
}

function sumParts(parts: readonly SplitPart[]): bigint {
  return parts.reduce((sum, { amount }) => sum + amount, 0n);
}

/**
 * Deducts the fee from the parts in proportion to their amounts. The minor units that remain go to parts whose
 * limit is not reached.
 */
function deductFee(parts: readonly SplitPart[], fee: bigint, feeRule: FeeRule): SplitPart[] {
  const total = sumParts(parts);
  const shares = parts.map((part) => ({ ...part, share: (fee * part.amount) / total }));
  let rest = shares.reduce((left, { share }) => left - share, fee);
  return shares.map(({ charge, amount, share }) => {
    const remainingLimit = getFeeLimit(feeRule, charge.customerAmount) - share;
    const extra = rest < remainingLimit ? rest : remainingLimit;
    rest -= extra;
    return { charge, amount: amount - share - extra };
  });
}
