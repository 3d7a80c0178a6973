import type { Charge } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import type { Service } from '../../platform/service.ts';
import { lockTransfers } from '../allocation/lock-transfer.ts';
import type { ExceptionReason } from '../allocation/transfer-state.ts';
import { transitionTransfer } from '../allocation/transition-transfer.ts';
import { transitionCharges } from './transition-charge.ts';
import type { ChargeChange } from './update-charges.ts';

/** Expires locked, pending charges; their part payments become exceptions. Returns the updated charges. */
export function expireChargeBatch(
  uow: UnitOfWork<Service>,
  charges: readonly Charge[],
  now: MerchantTime,
): Promise<Charge[]> {
  return endChargeBatch(uow, charges, 'expired', { now, actor: 'job:expire-charges' });
}

/** Cancels locked, pending charges; their part payments become exceptions. Returns the updated charges. */
export function cancelChargeBatch(
  uow: UnitOfWork<Service>,
  charges: readonly Charge[],
  change: ChargeChange,
): Promise<Charge[]> {
  return endChargeBatch(uow, charges, 'cancelled', change);
}

async function endChargeBatch(
  uow: UnitOfWork<Service>,
  charges: readonly Charge[],
  to: 'expired' | 'cancelled',
  change: ChargeChange,
): Promise<Charge[]> {
  const transitions = charges.map((charge) => ({ charge, to }));
  const endedCharges = await transitionCharges(uow, transitions, change);
  const releasedCharges: Charge[] = [];
  for (const charge of endedCharges)
    releasedCharges.push(await releaseParts(uow, charge, { reason: `charge_${to}`, ...change }));
  return releasedCharges;
}

/**
 * Releases the part payments of a charge that ended unpaid: each transfer gets a negative allocation and
 * becomes an exception. Runs in the transaction that ends the charge. Returns the updated charge.
 */
async function releaseParts(
  uow: UnitOfWork,
  charge: Charge,
  options: {
    reason: Extract<ExceptionReason, 'charge_expired' | 'charge_cancelled'>;
    actor: string;
    now: Date;
  },
): Promise<Charge> {
  const { tx } = uow;
  if (charge.amountReceived === 0n) return charge;
  const totals = await tx.allocation.groupBy({
    by: ['transferId'],
    where: { chargeId: charge.id },
    _sum: { amount: true },
  });
  const amounts = new Map(totals.map(({ transferId, _sum }) => [transferId, _sum.amount ?? 0n]));
  const transferIds = [...amounts.keys()].filter((id) => amounts.get(id) !== 0n);
  const { reason } = options;
  for (const transfer of await lockTransfers(tx, transferIds)) {
    const allocations = [{ chargeId: charge.id, amount: -(amounts.get(transfer.id) as bigint), reason }];
    await transitionTransfer(uow, transfer, { ...options, to: 'exception', allocations });
  }
  await tx.charge.update({ where: { id: charge.id }, data: { amountReceived: 0n } });
  return { ...charge, amountReceived: 0n };
}
