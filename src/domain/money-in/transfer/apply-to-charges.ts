import type { Charge, TransferStatus } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import { Decimal } from '../../../kit/decimal.ts';
import { addReceivedAmounts } from '../../payments/charge/transition-charge.ts';
import type { ChargeChange } from '../../payments/charge/update-charges.ts';
import type { Service } from '../../platform/service.ts';
import { completeCharges } from './complete-charges.ts';
import { settleUndonePayments } from './undone-payments.ts';

/** A payment towards a charge that the caller has locked. */
export type ChargePayment = {
  charge: Charge;
  amount: bigint;
  /** Completes the charge even if the amount is short. */
  acceptShortfall?: boolean | undefined;
};

type AppliedStatus = Extract<TransferStatus, 'matched' | 'partial' | 'over'>;

/**
 * Applies payments to charges; each charge may appear only once. A charge is completed if it has received its
 * full amount, or if the shortfall is within the merchant's tolerance; otherwise the payment is partial.
 * Money for a completed charge is an overpayment. Returns the resulting status by charge ID.
 */
export async function applyToCharges(
  uow: UnitOfWork<Service>,
  payments: readonly ChargePayment[],
  options: ChargeChange & { tolerance: Decimal },
): Promise<Map<string, AppliedStatus>> {
  const { tolerance } = options;
  const outcomes = payments.map((payment) => ({ ...payment, status: getAppliedStatus(payment, tolerance) }));
  const change = { now: options.now, actor: options.actor };
  const completingOutcomes = outcomes.filter(
    ({ charge, status }) => status !== 'partial' && charge.status !== 'completed',
  );
  const completedCharges = await completeCharges(
    uow,
    completingOutcomes.map(({ charge, amount }) => ({ charge, received: amount, completedBy: 'transfer' })),
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
  const repaidCharges = otherOutcomes.filter(
    ({ charge, amount }) =>
      charge.status === 'completed' && isSufficient(charge, charge.amountReceived + amount, tolerance),
  );
  await settleUndonePayments(
    uow,
    repaidCharges.map(({ charge }) => charge.id),
    change,
  );
  return new Map(outcomes.map(({ charge, status }) => [charge.id, status]));
}

function getAppliedStatus(
  { charge, amount, acceptShortfall }: ChargePayment,
  tolerance: Decimal,
): AppliedStatus {
  const received = charge.amountReceived + amount;
  if (charge.status === 'completed') return received > charge.customerAmount ? 'over' : 'matched';
  if (!acceptShortfall && !isSufficient(charge, received, tolerance)) return 'partial';
  return received > charge.customerAmount ? 'over' : 'matched';
}

/** Returns whether an amount completes the charge. The tolerated shortfall is rounded down to a minor unit. */
export function isSufficient(charge: Charge, received: bigint, tolerance: Decimal): boolean {
  const shortfall = new Decimal(charge.customerAmount.toString())
    .mul(tolerance)
    .toFixed(0, Decimal.ROUND_DOWN);
  return received >= charge.customerAmount - BigInt(shortfall);
}
