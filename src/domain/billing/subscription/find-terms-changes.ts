import type { SubscriptionPlan } from '../../../../prisma/client/client.ts';
import type { Db } from '../../../kit/db.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import type { AuditAction } from '../../platform/audit/record-audit.ts';

/** A change of the plan or the price, with the price of a renewal in major units, including tax. */
export type TermsChange = {
  /** The event `subscription_updated` of the change. */
  eventId: string;
  planBefore: SubscriptionPlan;
  priceBefore: string;
  planAfter: SubscriptionPlan;
  priceAfter: string;
};

/** The detail of the audit entry of a change, with prices in major units. */
export type TermsChangeDetail = {
  /** The version of the subscription since the change, which its event has too. */
  version: number;
  plan: { from: string; to: string };
  price: { from: string; to: string };
  currency: string;
};

const action: AuditAction = 'subscription.terms_changed';

/** Returns the changes of terms of several subscriptions, oldest first, as the audit trail has recorded them. */
export async function findTermsChanges(
  { prisma }: Pick<Db, 'prisma'>,
  { merchantId, mode, ids }: MerchantScope & { ids: string[] },
): Promise<Map<string, TermsChange[]>> {
  const entries = await prisma.auditEntry.findMany({
    where: { merchantId, mode, objectId: { in: ids }, action },
    orderBy: { id: 'asc' },
  });
  if (entries.length === 0) return new Map();
  const details = entries.map(({ objectId, detail }) => ({
    objectId: objectId!,
    ...(detail as TermsChangeDetail),
  }));
  const events = await prisma.event.findMany({
    where: { objectId: { in: ids }, type: 'subscription_updated' },
    select: { id: true, objectId: true, objectVersion: true },
  });
  const planIds = details.flatMap(({ plan }) => [plan.from, plan.to]);
  const plans = await prisma.subscriptionPlan.findMany({
    where: { merchantId, mode, id: { in: [...new Set(planIds)] } },
  });
  const changes = details.flatMap(({ objectId, version, plan, price }) => {
    const event = events.find((row) => row.objectId === objectId && row.objectVersion === version);
    const planBefore = plans.find(({ id }) => id === plan.from);
    const planAfter = plans.find(({ id }) => id === plan.to);
    if (!event || !planBefore || !planAfter) return [];
    const prices = { priceBefore: price.from, priceAfter: price.to };
    return [{ objectId, eventId: event.id, planBefore, planAfter, ...prices }];
  });
  return Map.groupBy(changes, ({ objectId }) => objectId);
}
