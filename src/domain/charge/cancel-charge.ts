import type { Charge } from '../../../prisma/client/client.ts';
import { type Db, transact } from '../../kit/db.ts';
import { DomainError } from '../../kit/errors.ts';
import type { Owned } from '../../kit/owner.ts';
import { canCustomerCancel } from './charge-state.ts';
import { cancelTogether } from './end-together.ts';
import { lockCharge } from './lock-charge.ts';
import { chargeNotPending } from './update-charges.ts';

/**
 * Cancels a pending charge. A customer may not cancel one that has received money; the merchant may, and its part
 * payments become exceptions. Errors: `charge_not_found`, `charge_not_pending`.
 */
export async function cancelCharge(
  db: Db,
  options: Owned & { by: 'merchant' | 'customer'; actor: string; now: Date },
): Promise<Charge> {
  const { by, actor, now } = options;
  return transact(db, async (tx) => {
    const charge = await lockCharge(tx, options);
    if (charge.status !== 'pending') throw chargeNotPending(charge);
    if (by === 'customer' && !canCustomerCancel(charge))
      throw new DomainError('charge_not_pending', `The charge ${charge.id} has received money`);
    const [cancelled] = await cancelTogether(tx, [charge], { now, actor });
    return cancelled as Charge;
  });
}
