import type { Prisma, SubscriptionPlan, SubscriptionPlanStatus } from '../../../../prisma/client/client.ts';
import { type Db, readBatch } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { MerchantScope, ScopedId } from '../../../kit/merchant-scope.ts';
import { createdBetween } from '../../platform/created-between.ts';

type SubscriptionPlanFilter = {
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
    AND: createdBetween('plan', filter),
  };
}

export async function getSubscriptionPlan(db: Db, options: ScopedId): Promise<SubscriptionPlan> {
  const { merchantId, mode, id } = options;
  const plan = await db.prisma.subscriptionPlan.findFirst({ where: { id, merchantId, mode } });
  if (!plan) throw planNotFoundError(id);
  return plan;
}

export function planNotFoundError(id: string): DomainError {
  return new DomainError('subscription_plan_not_found', `Subscription plan not found: ${id}`);
}

/** The number of all enrolments in a plan, and the number of those that are active now. */
export type PlanCounts = { total: number; active: number };

/** Counts the subscriptions of several plans; omits plans without any. */
export async function countSubscriptions(
  db: Db,
  { merchantId, mode, planIds }: MerchantScope & { planIds: string[] },
): Promise<Map<string, PlanCounts>> {
  const rows = await db.prisma.$queryRaw<({ planId: string } & PlanCounts)[]>`
    SELECT plan_id AS "planId", count(*)::int AS total, count(*) FILTER (WHERE status = 'active')::int AS active
    FROM subscription
    WHERE merchant_id = ${merchantId} AND mode = ${mode}::mode AND plan_id = ANY(${planIds}::text[])
    GROUP BY plan_id`;
  return new Map(rows.map(({ planId, total, active }) => [planId, { total, active }]));
}
