import type { Charge } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import type { SystemTime } from '../../../kit/clock.ts';
import { settleSubscriptionCharge } from '../../billing/subscription/settle-subscription-charge.ts';
import { mailReceipts } from '../../payments/charge/mail-receipts.ts';
import { transitionCharges } from '../../payments/charge/transition-charge.ts';
import type { ChargeChange } from '../../payments/charge/update-charges.ts';
import type { Service } from '../../platform/service.ts';

/** A charge as the caller read it. `received` is the amount that the payment adds. */
type Completion = { charge: Charge; completedBy: 'transfer' | 'sandbox'; received?: bigint; fee?: bigint };

/**
 * Completes charges of one merchant, each of which may appear only once, settles their subscriptions and emails
 * receipts, in the caller's transaction. No other code completes charges. Throws `charge_not_pending`.
 */
export async function completeCharges(
  uow: UnitOfWork<Service>,
  completions: readonly Completion[],
  change: ChargeChange & { systemNow: SystemTime },
): Promise<Charge[]> {
  const steps = completions.map((completion) => ({ ...completion, to: 'completed' as const }));
  const completedCharges = await transitionCharges(uow, steps, change);
  for (const charge of completedCharges) {
    const { subscriptionId } = charge;
    if (subscriptionId !== null) await settleSubscriptionCharge(uow, { ...charge, subscriptionId }, change);
  }
  await mailReceipts(uow, completedCharges, change);
  return completedCharges;
}
