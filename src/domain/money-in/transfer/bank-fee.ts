import type { Charge, ReceivingAccount } from '../../../../prisma/client/client.ts';
import { Decimal } from '../../../kit/decimal.ts';

/** The settings of a receiving account that limit the fee. */
export type FeeRule = Pick<ReceivingAccount, 'maxBankFee' | 'maxBankFeeRate'>;

/**
 * Returns the largest fee that the rule allows. The rate is rounded up to a minor unit, as acquirers do. A fee is
 * never more than half of the amount, because the rest would then be no payment of it.
 */
export function getFeeLimit({ maxBankFee, maxBankFeeRate }: FeeRule, asked: bigint): bigint {
  const byRate = BigInt(new Decimal(asked.toString()).mul(maxBankFeeRate ?? 0).toFixed(0, Decimal.ROUND_UP));
  const fixed = maxBankFee ?? 0n;
  const limit = fixed > byRate ? fixed : byRate;
  return limit * 2n > asked ? asked / 2n : limit;
}

/**
 * Returns the fee that banks have deducted from the payment, if the rule of the account allows the difference,
 * and otherwise 0.
 */
export function getDeductedFee(
  rule: FeeRule,
  { asked, received }: { asked: bigint; received: bigint },
): bigint {
  const difference = asked - received;
  return difference > 0n && difference <= getFeeLimit(rule, asked) ? difference : 0n;
}

/** Returns the fee of a payment that completes a charge together with earlier ones, and otherwise 0. */
export function getChargeFee(rule: FeeRule, charge: Charge, received: bigint): bigint {
  if (charge.status === 'completed') return 0n;
  return getDeductedFee(rule, { asked: charge.customerAmount, received });
}
