import type { Charge, TransferStatus } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import { Decimal } from '../../../kit/decimal.ts';
import { addReceivedAmounts } from '../../payments/charge/transition-charge.ts';
import type { ChargeChange } from '../../payments/charge/update-charges.ts';
import type { Service } from '../../platform/service.ts';
import { type FeeRule, getChargeFee } from './bank-fee.ts';
import { completeCharges } from './complete-charges.ts';

/** A payment towards a charge that the caller has locked. */
export type ChargePayment = {
  charge: Charge;
  amount: bigint;
  /** Completes the charge even if the amount is short. */
  acceptShortfall?: boolean | undefined;
};

/** The result of a payment: the status of the transfer, and the fee that banks deducted from it on the way. */
export type AppliedPayment = { status: Extract<TransferStatus, 'matched' | 'partial' | 'over'>; fee: bigint };

/** When a payment is sufficient: the merchant's tolerance and the receiving account's rule for fees. */
export type SufficiencyRules = { tolerance: Decimal; feeRule: FeeRule };

/**
 * Applies payments to charges; each charge may appear only once. A charge is completed if it has received its
 * full amount, if the rule of the account explains the shortfall as a fee, or if the shortfall is within the
 * merchant's tolerance; otherwise the payment is partial. Money for a completed charge is an overpayment.
 * Returns the result by charge ID.
 */
export async function applyToCharges(
  uow: UnitOfWork<Service>,
  payments: readonly ChargePayment[],
  options: ChargeChange & SufficiencyRules,
): Promise<Map<string, AppliedPayment>> {
  const outcomes = payments.map((payment) => ({ ...payment, ...getAppliedPayment(payment, options) }));
  const change = { now: options.now, actor: options.actor };
  const completingOutcomes = outcomes.filter(
    ({ charge, status }) => status !== 'partial' && charge.status !== 'completed',
  );
  const completedCharges = await completeCharges(
    uow,
    completingOutcomes.map(({ charge, amount, fee }) => ({
      charge,
      fee,
      received: amount,
      completedBy: 'transfer',
    })),
    change,
  );
  const excessReceipts = completingOutcomes.flatMap(({ status }, i) =>
    status === 'over'
      ? { charge: completedCharges[i] as Charge, received: 0n, eventType: 'charge_overpaid' as const }
      : [],
  );
  const otherOutcomes = outcomes.filter((outcome) => !completingOutcomes.includes(outcome));
  const otherReceipts = otherOutcomes.map(({ charge, amount, status }) => ({
    charge,
    received: amount,
    eventType: status === 'over' ? ('charge_overpaid' as const) : ('charge_part_paid' as const),
  }));
  await addReceivedAmounts(uow, [...excessReceipts, ...otherReceipts], change);
  return new Map(outcomes.map(({ charge, status, fee }) => [charge.id, { status, fee }]));
}

function getAppliedPayment(
  { charge, amount, acceptShortfall }: ChargePayment,
  rules: SufficiencyRules,
): AppliedPayment {
  const received = charge.amountReceived + amount;
  const paid = received + charge.feeAmount;
  if (charge.status === 'completed')
    return { status: paid > charge.customerAmount ? 'over' : 'matched', fee: 0n };
  const fee = getChargeFee(rules.feeRule, charge, received);
  if (fee > 0n) return { status: 'matched', fee };
  if (!acceptShortfall && !isSufficient(charge, received, rules)) return { status: 'partial', fee };
  return { status: received > charge.customerAmount ? 'over' : 'matched', fee };
}

/** Returns whether an amount completes the charge. The tolerated shortfall is rounded down to a minor unit. */
export function isSufficient(
  charge: Charge,
  received: bigint,
  { tolerance, feeRule }: SufficiencyRules,
): boolean {
  const shortfall = new Decimal(charge.customerAmount.toString())
    .mul(tolerance)
    .toFixed(0, Decimal.ROUND_DOWN);
  const isTolerated = received >= charge.customerAmount - BigInt(shortfall);
  return isTolerated || getChargeFee(feeRule, charge, received) > 0n;
}
