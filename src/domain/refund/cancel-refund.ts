import { transact } from '../../event/unit-of-work.ts';
import type { Db } from '../../kit/db.ts';
import type { Owned } from '../../kit/owner.ts';
import { lockRefund } from './lock-refund.ts';
import { type RefundOfCharge, transitionRefund } from './transition-refund.ts';

/**
 * Withdraws a refund for which the customer has given no details yet; its amount can be refunded again. Errors:
 * `refund_not_found`, `refund_not_initiated`.
 */
export async function cancelRefund(
  db: Db,
  options: Owned & { actor: string; now: Date },
): Promise<RefundOfCharge> {
  return transact(db, async (uow) => {
    const { refund, charge } = await lockRefund(uow.tx, options);
    return { refund: await transitionRefund(uow, { refund, charge }, 'cancelled', options), charge };
  });
}
