import type { Charge, Mode } from '../../../prisma/client/client.ts';
import type { Db } from '../../kit/db.ts';
import { transact } from '../../kit/db.ts';
import { DomainError } from '../../kit/errors.ts';
import { orphanPartPayments } from '../transfer/orphan-part-payments.ts';
import { canCancel, canCustomerCancel } from './charge-state.ts';
import { lockCharge } from './lock-charge.ts';
import { transitionCharge } from './transition-charge.ts';

/**
 * Cancels a pending charge. A customer may not cancel one that has received money; the merchant may, and its part
 * payments become exceptions. Errors: `charge_not_found`, `charge_not_pending`.
 */
export async function cancelCharge(
  db: Db,
  options: {
    merchantId: string;
    mode: Mode;
    id: string;
    by: 'merchant' | 'customer';
    actor: string;
    now: Date;
  },
): Promise<Charge> {
  const { id, by, actor, now } = options;
  return transact(db, async (tx) => {
    const charge = await lockCharge(tx, options);
    if (!(by === 'merchant' ? canCancel(charge) : canCustomerCancel(charge))) {
      throw new DomainError('charge_not_pending', cancelRefusal(id, charge.amountReceived));
    }
    const cancelled = await transitionCharge(tx, charge, 'cancelled', { now, actor });
    await orphanPartPayments(tx, cancelled, { reason: 'charge_cancelled', actor, now });
    return cancelled;
  });
}

function cancelRefusal(id: string, amountReceived: bigint): string {
  return amountReceived > 0n
    ? `The charge ${id} has received money`
    : `The charge ${id} is no longer pending`;
}
