import type { Charge, Refund } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import type { MessageService } from '../../../message/enqueue-message.ts';
import { transitionRefund } from './transition-refund.ts';

/**
 * Cancels refunds of charges that have lost money, as many as must be cancelled so that the amount received covers the
 * others. Refunds without payout details are cancelled first, then those that are ready to be paid, always the newest
 * first. Paid refunds and refunds in a payout file remain. The caller must hold the locks of the charges.
 */
export async function cancelUncoveredRefunds(
  uow: UnitOfWork<MessageService>,
  charges: readonly Charge[],
  { actor, now }: { actor: string; now: MerchantTime },
): Promise<void> {
  const paid = charges.filter(
    ({ status, completedBy }) => status === 'completed' && completedBy === 'transfer',
  );
  if (paid.length === 0) return;
  const chargeIds = paid.map(({ id }) => id);
  // Files claim refunds without the lock of the charge.
  await uow.tx.$queryRaw`SELECT 1 FROM refund WHERE charge_id = ANY(${chargeIds}) ORDER BY id FOR UPDATE`;
  const refunds = await uow.tx.refund.findMany({
    where: { chargeId: { in: chargeIds }, status: { not: 'cancelled' } },
    orderBy: { id: 'desc' },
  });
  const data = { detailsEncrypted: null, payoutScheme: null };
  for (const charge of paid) {
    const ofCharge = refunds.filter(({ chargeId }) => chargeId === charge.id);
    for (const refund of findUncovered(charge, ofCharge))
      await transitionRefund(uow, { refund, charge }, 'cancelled', { actor, now, data });
  }
}

function findUncovered({ amountReceived }: Charge, newestFirst: readonly Refund[]): Refund[] {
  let sum = newestFirst.reduce((total, { customerAmount }) => total + customerAmount, 0n);
  const cancellable = [
    ...newestFirst.filter(({ status }) => status === 'initiated'),
    ...newestFirst.filter(({ status, payoutExportedAt }) => status === 'processing' && !payoutExportedAt),
  ];
  return cancellable.filter(({ customerAmount }) => {
    if (sum <= amountReceived) return false;
    sum -= customerAmount;
    return true;
  });
}
