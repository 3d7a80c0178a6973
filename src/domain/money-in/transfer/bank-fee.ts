import type { Charge, ReceivingAccount } from '../../../../prisma/client/client.ts';
import { Decimal } from '../../../kit/decimal.ts';

/** The settings of a receiving account that limit the fee. */
export type FeeRule = Pick<ReceivingAccount, 'maxBankFee' | 'maxBankFeeRate'>;

/**
 * Returns the largest fee that the rule allows. The rate is rounded up to a minor unit, as acquirers do. A
 * fee is at most half of the amount, because less money would not be recognizable as its payment.
 */
export function getFeeLimit({ maxBankFee, maxBankFeeRate }: FeeRule, requested: bigint): bigint {
  const byRate = BigInt(
    new Decimal(requested.toString()).mul(maxBankFeeRate ?? 0).toFixed(0, Decimal.ROUND_UP),
  );
  const fixed = maxBankFee ?? 0n;
  const limit = fixed > byRate ? fixed : byRate;
  return limit * 2n > requested ? requested / 2n : limit;
}

/**
 * Returns the fee that banks have deducted from the payment, if the rule of the account allows the difference,
 * and otherwise 0.
 */
export function getDeductedFee(
  rule: FeeRule,
  { requested, received }: { requested: bigint; received: bigint },
): bigint {
  const difference = requested - received;
  return difference > 0n && difference <= getFeeLimit(rule, requested) ? difference : 0n;
}

/**
 * Returns the fee that explains why a charge has received less than its amount, and otherwise 0. `received`
 * is the total of all payments. A completed charge has no further fee.
 */
export function getChargeFee(rule: FeeRule, charge: Charge, received: bigint): bigint {
  if (charge.status === 'completed') return 0n;
  return getDeductedFee(rule, { requested: charge.customerAmount, received });
}
