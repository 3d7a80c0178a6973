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
  const details = entries.map(({ objectId, detail }) => ({ objectId: objectId!, ...readDetail(detail) }));
  const events = await prisma.event.findMany({
    where: { objectId: { in: ids }, type: 'subscription_updated' },
    select: { id: true, objectId: true, objectVersion: true },
  });
  const planIds = details.flatMap(({ before, after }) => [before.planId, after.planId]);
  const plans = await prisma.subscriptionPlan.findMany({
    where: { merchantId, mode, id: { in: [...new Set(planIds)] } },
  });
  const changes = details.flatMap(({ objectId, version, before, after }) => {
    const event = events.find((row) => row.objectId === objectId && row.objectVersion === version);
    const [planBefore, planAfter] = [before, after].map(({ planId }) =>
      plans.find(({ id }) => id === planId),
    );
    if (!event || !planBefore || !planAfter) return [];
    const prices = { priceBefore: before.price, priceAfter: after.price };
    return [{ objectId, eventId: event.id, planBefore, planAfter, ...prices }];
  });
  return Map.groupBy(changes, ({ objectId }) => objectId);
}

/** Reads the detail of an audit entry, such as `{ version: 3, before: 'pl_1 180.00 HKD', after: 'pl_2 96.00 HKD' }`. */
function readDetail(detail: unknown) {
  const { version, before, after } = detail as { version: number; before: string; after: string };
  return { version, before: readTerms(before), after: readTerms(after) };
}

function readTerms(terms: string): { planId: string; price: string } {
  const [planId, price] = terms.split(' ');
  return { planId: planId!, price: price! };
}
