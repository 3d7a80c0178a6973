import type { Charge } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import { lockTransfers } from './lock-transfer.ts';
import type { ExceptionReason } from './transfer-state.ts';
import { transitionTransfer } from './transition-transfer.ts';

/**
 * Detaches the part payments of a charge that ended unpaid: each transfer gets a negative allocation and
 * becomes an exception. Runs in the transaction that ends the charge. Returns the updated charge.
 */
export async function detachPartials(
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
