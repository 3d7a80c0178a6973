import type { SubscriptionPlan } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';
import { getSubscriptionPlan } from './find-subscription-plans.ts';

/**
 * Returns a plan whose terms stay the same until the transaction ends, because `updateSubscriptionPlan` waits for the
 * shared lock. Throws `subscription_plan_not_found`.
 */
export async function lockPlanShared(uow: UnitOfWork, options: ScopedId): Promise<SubscriptionPlan> {
  await uow.tx.$queryRaw`SELECT 1 FROM subscription_plan WHERE id = ${options.id} FOR SHARE`;
  return getSubscriptionPlan(uow, options);
}
