import type { Charge, TransferStatus } from '../../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../../event/unit-of-work.ts';
import type { SystemTime } from '../../../../kit/clock.ts';
import { Decimal } from '../../../../kit/decimal.ts';
import { getAmountPaid } from '../../../payments/charge/charge-state.ts';
import { addReceivedAmounts } from '../../../payments/charge/transition-charge.ts';
import type { ChargeChange } from '../../../payments/charge/update-charges.ts';
import type { Service } from '../../../platform/service.ts';
import { type FeeRule, inferBankFee, inferChargeFee } from '../bank-fee.ts';
import { completeCharges } from '../complete-charges.ts';
import { findUndoneCharges, settleUndonePayments } from './undone-payments.ts';

/** A payment towards a charge that the caller has locked. */
type ChargePayment = {
  charge: Charge;
  amount: bigint;
  /** Completes the charge even if the amount is short. */
  acceptShortfall?: boolean | undefined;
  /** The fee of a payment that completed the charge before and is now applied again. */
  fee?: bigint | undefined;
};

/** The result of a payment: the status of the transfer, and the fee that banks deducted from it. */
export type AppliedPayment = { status: Extract<TransferStatus, 'matched' | 'partial' | 'over'>; fee: bigint };

/** The rules for a sufficient payment: the merchant's tolerance and the receiving account's rule for fees. */
type SufficiencyRules = { tolerance: Decimal; feeRule: FeeRule };

/**
 * Applies payments to charges; each charge may appear only once. A charge is completed if it has received its
 * full amount, if the rule of the account explains the shortfall as a fee, or if the shortfall is within the
 * merchant's tolerance; otherwise the payment is partial. Money for a completed charge is an overpayment.
 * Returns the result by charge ID.
 */
export async function applyToCharges(
  uow: UnitOfWork<Service>,
  payments: readonly ChargePayment[],
  options: ChargeChange & SufficiencyRules & { systemNow: SystemTime },
): Promise<Map<string, AppliedPayment>> {
  const undoneIds = await findUndoneCharges(
    uow.tx,
    payments.map(({ charge }) => charge),
  );
  const outcomes = payments.map((payment) => ({
    ...payment,
    ...getAppliedPayment(payment, { ...options, isUndone: undoneIds.has(payment.charge.id) }),
  }));
  const { now, systemNow, actor } = options;
  const change = { now, systemNow, actor };
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
  const repaidOutcomes = otherOutcomes.filter(
    ({ charge, amount, fee }) =>
      charge.status === 'completed' && isSufficient(charge, getAmountPaid(charge) + amount + fee, options),
  );
  const otherReceipts = otherOutcomes.map((outcome) => {
    const { charge, amount, fee, status } = outcome;
    // Merchants have received the completion, and nothing is missing now.
    const shortfallType = repaidOutcomes.includes(outcome) ? null : ('charge_part_paid' as const);
    return {
      ...{ charge, received: amount, fee },
      eventType: status === 'over' ? ('charge_overpaid' as const) : shortfallType,
    };
  });
  await addReceivedAmounts(uow, [...excessReceipts, ...otherReceipts], change);
  await settleUndonePayments(
    uow,
    repaidOutcomes.map(({ charge }) => charge.id),
    change,
  );
  return new Map(outcomes.map(({ charge, status, fee }) => [charge.id, { status, fee }]));
}

function getAppliedPayment(
  { charge, amount, acceptShortfall, fee: repeatedFee = 0n }: ChargePayment,
  rules: SufficiencyRules & { isUndone: boolean },
): AppliedPayment {
  const received = charge.amountReceived + amount;
  if (charge.status === 'completed') {
    // After an undo, the corrected statement may contain the same payment, less the same fee.
    const isPaidAgain = rules.isUndone && charge.feeAmount === 0n && repeatedFee === 0n;
    const fee = isPaidAgain
      ? inferBankFee(rules.feeRule, { requested: charge.customerAmount, received })
      : repeatedFee;
    return { status: getAmountPaid(charge) + amount + fee > charge.customerAmount ? 'over' : 'matched', fee };
  }
  const fee = inferChargeFee(rules.feeRule, charge, received);
  if (fee > 0n) return { status: 'matched', fee };
  if (!acceptShortfall && !isSufficient(charge, received, rules)) return { status: 'partial', fee };
  return { status: received > charge.customerAmount ? 'over' : 'matched', fee };
}

/**
 * Returns whether the total received completes the charge. The tolerated shortfall is rounded down to a minor
 * unit.
 */
export function isSufficient(
  charge: Charge,
  received: bigint,
  { tolerance, feeRule }: SufficiencyRules,
): boolean {
  const shortfall = new Decimal(charge.customerAmount.toString())
    .mul(tolerance)
    .toFixed(0, Decimal.ROUND_DOWN);
  const isTolerated = received >= charge.customerAmount - BigInt(shortfall);
  return isTolerated || inferChargeFee(feeRule, charge, received) > 0n;
}
