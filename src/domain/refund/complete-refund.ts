import { transact } from '../../event/unit-of-work.ts';
import type { Db } from '../../kit/db.ts';
import type { Owned } from '../../kit/owner.ts';
import { lockRefund } from './lock-refund.ts';
import { type RefundOfCharge, transitionRefund } from './transition-refund.ts';

/**
 * The merchant confirms that the money was sent; in the sandbox also before any details were given. Errors:
 * `refund_not_found`, `refund_not_processing`.
 */
export async function completeRefund(
  db: Db,
  options: Owned & { actor: string; now: Date },
): Promise<RefundOfCharge> {
  return transact(db, async (uow) => {
    const { refund, charge } = await lockRefund(uow.tx, options);
    return { refund: await transitionRefund(uow, { refund, charge }, 'completed', options), charge };
  });
}
