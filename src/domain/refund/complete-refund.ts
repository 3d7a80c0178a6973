import type { Mode } from '../../../prisma/client/client.ts';
import { type Db, transact } from '../../kit/db.ts';
import { lockRefund } from './lock-refund.ts';
import { type RefundOfCharge, transitionRefund } from './transition-refund.ts';

/**
 * The merchant confirms that the money was sent; in the sandbox also before any details were given. Errors:
 * `refund_not_found`, `refund_not_processing`.
 */
export async function completeRefund(
  db: Db,
  options: { merchantId: string; mode: Mode; id: string; actor: string; now: Date },
): Promise<RefundOfCharge> {
  return transact(db, async (tx) => {
    const { refund, charge } = await lockRefund(tx, options);
    return { refund: await transitionRefund(tx, { refund, charge }, 'completed', options), charge };
  });
}
