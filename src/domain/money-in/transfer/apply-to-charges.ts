import type { Charge, TransferStatus } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import { Decimal } from '../../../kit/decimal.ts';
import { addReceivedAmounts } from '../../payments/charge/transition-charge.ts';
import type { ChargeChange } from '../../payments/charge/update-charges.ts';
import type { Service } from '../../platform/service.ts';
import { completeCharges } from './complete-charges.ts';

/** Money for a charge that the caller has locked. */
export type ChargePayment = {
  charge: Charge;
  amount: bigint;
  /** The merchant takes less than asked as payment in full. */
  acceptShortfall?: boolean | undefined;
};

type AppliedStatus = Extract<TransferStatus, 'matched' | 'partial' | 'over'>;

/**
 * Counts money for charges, each named once: completes a charge when the parts reach the amount asked (or the shortfall
 * is within the merchant's tolerance), else it is a part payment; on a completed one it is an excess. Returns what the
 * money has become, by the id of the charge.
 */
export async function applyToCharges(
  uow: UnitOfWork<Service>,
  payments: readonly ChargePayment[],
  options: ChargeChange & { tolerance: Decimal },
): Promise<Map<string, AppliedStatus>> {
  const { tolerance } = options;
  const outcomes = payments.map((payment) => ({ ...payment, status: getAppliedStatus(payment, tolerance) }));
  const change = { now: options.now, actor: options.actor };
  const completing = outcomes.filter(
    ({ charge, status }) => status !== 'partial' && charge.status !== 'completed',
  );
  const completed = await completeCharges(
    uow,
    completing.map(({ charge, amount }) => ({ charge, received: amount, completedBy: 'transfer' })),
    change,
  );
  const excess = completing.flatMap(({ status }, i) =>
    status === 'over'
      ? { charge: completed[i] as Charge, received: 0n, eventType: 'charge_overpaid' as const }
      : [],
  );
  const rest = outcomes.filter((outcome) => !completing.includes(outcome));
  const receipts = rest.map(({ charge, amount, status }) => ({
    charge,
    received: amount,
    eventType: status === 'over' ? ('charge_overpaid' as const) : ('charge_part_paid' as const),
  }));
  await addReceivedAmounts(uow, [...excess, ...receipts], change);
  return new Map(outcomes.map(({ charge, status }) => [charge.id, status]));
}

function getAppliedStatus(
  { charge, amount, acceptShortfall }: ChargePayment,
  tolerance: Decimal,
): AppliedStatus {
  const received = charge.amountReceived + amount;
  if (charge.status === 'completed') return received > charge.customerAmount ? 'over' : 'matched';
  if (!acceptShortfall && !isEnough(charge, received, tolerance)) return 'partial';
  return received > charge.customerAmount ? 'over' : 'matched';
}

/** Whether an amount completes the charge; the tolerated shortfall is rounded down to a minor unit. */
export function isEnough(charge: Charge, received: bigint, tolerance: Decimal): boolean {
  const shortfall = new Decimal(charge.customerAmount.toString())
    .mul(tolerance)
    .toFixed(0, Decimal.ROUND_DOWN);
  return received >= charge.customerAmount - BigInt(shortfall);
}
