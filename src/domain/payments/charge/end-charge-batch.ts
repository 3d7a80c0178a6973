import type { Charge } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import type { Service } from '../../platform/service.ts';
import { detachPartials } from '../allocation/detach-partials.ts';
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
  const detachedCharges: Charge[] = [];
  for (const charge of endedCharges)
    detachedCharges.push(await detachPartials(uow, charge, { reason: `charge_${to}`, ...change }));
  return detachedCharges;
}
