import type { Charge } from '../../../prisma/client/client.ts';
import { type Db, transact } from '../../kit/db.ts';
import { DomainError } from '../../kit/errors.ts';
import type { Owned } from '../../kit/owner.ts';
import { lockCharge } from './lock-charge.ts';
import { transitionCharge } from './transition-charge.ts';
import { chargeNotPending } from './update-charges.ts';

/** Completes a pending sandbox charge by hand. Errors: `sandbox_only`, `charge_not_found`, `charge_not_pending`. */
export async function completeSandboxCharge(
  db: Db,
  options: Owned & { actor: string; now: Date },
): Promise<Charge> {
  if (options.mode !== 'sandbox')
    throw new DomainError('sandbox_only', 'Only sandbox charges are completed by hand');
  return transact(db, async (tx) => {
    const charge = await lockCharge(tx, options);
    if (charge.status !== 'pending') throw chargeNotPending(charge);
    return transitionCharge(tx, charge, { to: 'completed', completedBy: 'hand' }, options);
  });
}
