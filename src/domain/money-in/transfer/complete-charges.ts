import type { Charge } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import { settleSubscriptionCharge } from '../../billing/subscription/settle-subscription-charge.ts';
import { transitionCharges } from '../../payments/charge/transition-charge.ts';
import type { ChargeChange } from '../../payments/charge/update-charges.ts';
import type { Service } from '../../platform/service.ts';

/** A charge as the caller read it. `received` is the amount that this payment adds. */
type Completion = { charge: Charge; completedBy: 'transfer' | 'manual'; received?: bigint };

/**
 * The only way to complete charges; each charge may appear once. Also settles the subscription of each charge
 * in the caller's transaction. Error: `charge_not_pending`.
 */
export async function completeCharges(
  uow: UnitOfWork<Service>,
  completions: readonly Completion[],
  change: ChargeChange,
): Promise<Charge[]> {
  const steps = completions.map((completion) => ({ ...completion, to: 'completed' as const }));
  const completed = await transitionCharges(uow, steps, change);
  for (const charge of completed) {
    const { subscriptionId } = charge;
    if (subscriptionId !== null) await settleSubscriptionCharge(uow, { ...charge, subscriptionId }, change);
  }
  return completed;
}
