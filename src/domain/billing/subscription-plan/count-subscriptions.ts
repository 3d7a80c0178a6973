import type { Db } from '../../../kit/db.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';

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
