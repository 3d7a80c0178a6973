import type { SubscriptionPlan } from '../../../../prisma/client/client.ts';
import type { Db } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';

export async function getSubscriptionPlan(db: Db, options: ScopedId): Promise<SubscriptionPlan> {
  const { merchantId, mode, id } = options;
  const plan = await db.prisma.subscriptionPlan.findFirst({ where: { id, merchantId, mode } });
  if (!plan) throw planNotFoundError(id);
  return plan;
}

export function planNotFoundError(id: string): DomainError {
  return new DomainError('subscription_plan_not_found', `Subscription plan not found: ${id}`);
}
