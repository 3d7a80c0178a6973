import type { Charge, ReceivingAccount } from '../../../../prisma/client/client.ts';
import { Decimal } from '../../../kit/decimal.ts';

/** The settings of a receiving account that limit how much banks may deduct from a payment. */
export type FeeRule = Pick<ReceivingAccount, 'maxBankFee' | 'maxBankFeeRate'>;

/**
 * Returns the largest fee that the rule allows: the fixed fee or the fee by rate, whichever is larger. The fee by
 * rate is rounded up to a minor unit, as acquirers do. More than half of the amount is never a fee.
 */
export function getFeeLimit({ maxBankFee, maxBankFeeRate }: FeeRule, requested: bigint): bigint {
  const byRate = BigInt(
    new Decimal(requested.toString()).mul(maxBankFeeRate ?? 0).toFixed(0, Decimal.ROUND_UP),
  );
  const fixed = maxBankFee ?? 0n;
  const limit = fixed > byRate ? fixed : byRate;
  return limit * 2n > requested ? requested / 2n : limit;
}

/** Returns by how much `received` is less than `requested` if the rule allows it as a fee, and otherwise 0. */
export function inferBankFee(
  rule: FeeRule,
  { requested, received }: { requested: bigint; received: bigint },
): bigint {
  const difference = requested - received;
  return difference > 0n && difference <= getFeeLimit(rule, requested) ? difference : 0n;
}

/** Like `inferBankFee`, for the total that a charge has received. Returns 0 for a completed charge. */
export function inferChargeFee(rule: FeeRule, charge: Charge, received: bigint): bigint {
  if (charge.status === 'completed') return 0n;
  return inferBankFee(rule, { requested: charge.customerAmount, received });
}
