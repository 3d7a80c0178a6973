import type { Prisma, SubscriptionPlan, SubscriptionPlanStatus } from '../../../../prisma/client/client.ts';
import { type Db, readBatch } from '../../../kit/db.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import { createdBetween } from '../../platform/created-between.ts';

export type SubscriptionPlanFilter = {
  status?: SubscriptionPlanStatus | undefined;
  currency?: string | undefined;
  startDate?: Date | undefined;
  endDate?: Date | undefined;
};

/** Returns one page of the merchant's plans, newest first, with the exact total. */
export async function findSubscriptionPlans(
  db: Db,
  options: MerchantScope & { filter: SubscriptionPlanFilter; page: number; limit: number },
): Promise<{ plans: SubscriptionPlan[]; total: number }> {
  const { page, limit } = options;
  const where = buildSubscriptionPlanFilter(options);
  const [total, plans] = await readBatch(db, [
    db.prisma.subscriptionPlan.count({ where }),
    db.prisma.subscriptionPlan.findMany({
      where,
      orderBy: { id: 'desc' },
      skip: (page - 1) * limit,
      take: limit,
    }),
  ]);
  return { plans, total };
}

/** Returns the filter as a Prisma condition, always limited to the merchant and mode. */
export function buildSubscriptionPlanFilter(
  options: MerchantScope & { filter: SubscriptionPlanFilter },
): Prisma.SubscriptionPlanWhereInput {
  const { merchantId, mode, filter } = options;
  return {
    merchantId,
    mode,
    ...(filter.status !== undefined && { status: filter.status }),
    ...(filter.currency !== undefined && { currency: filter.currency }),
    ...createdBetween('plan', filter),
  };
}
