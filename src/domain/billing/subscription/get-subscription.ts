import type { Db } from '../../../kit/db.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';
import type { SubscriptionWithParts } from './find-subscriptions.ts';
import { subscriptionNotFoundError } from './lock-subscription.ts';
import { loadSubscriptionParts } from './to-subscription-view.ts';

/** Returns one subscription with its newest invoices and charges. Throws `subscription_not_found`. */
export async function getSubscription(db: Db, options: ScopedId): Promise<SubscriptionWithParts> {
  const { merchantId, mode, id } = options;
  const subscription = await db.prisma.subscription.findFirst({ where: { id, merchantId, mode } });
  if (!subscription) throw subscriptionNotFoundError(id);
  const parts = await loadSubscriptionParts(db.prisma, [id]);
  return { subscription, parts: parts.get(id)! };
}
