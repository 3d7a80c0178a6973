import type { Charge } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import { settleSubscriptionCharge } from '../../billing/subscription/settle-subscription-charge.ts';
import { transitionCharges } from '../../payments/charge/transition-charge.ts';
import type { ChargeChange } from '../../payments/charge/update-charges.ts';
import type { Service } from '../../platform/service.ts';

/** A charge as its caller read it, and what this payment adds to what it has received. */
type Completion = { charge: Charge; completedBy: 'transfer' | 'hand'; received?: bigint };

/**
 * The only way to complete charges, each named once: the transition, and what it means for the subscription of each
 * charge, in the caller's transaction. Error: `charge_not_pending`.
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
