import type { Subscription, SubscriptionStatus } from '../../../../prisma/client/client.ts';

/**
 * Allowed status changes. An inactive subscription waits for its first payment or, while it is paused, for a
 * missed payment or the end of the merchant's pause.
 */
export const subscriptionTransitions: Record<SubscriptionStatus, readonly SubscriptionStatus[]> = {
  inactive: ['active', 'cancelled'],
  active: ['inactive', 'completed', 'cancelled'],
  completed: [],
  cancelled: [],
};

/** Returns whether the subscription has not ended. */
export function isOngoing(subscription: Pick<Subscription, 'status'>): boolean {
  return subscription.status === 'active' || subscription.status === 'inactive';
}

/** Returns whether the customer can pay: the subscription is ongoing, and the merchant has not paused it. */
export function isPayable(subscription: Pick<Subscription, 'status' | 'pausedAt'>): boolean {
  return isOngoing(subscription) && subscription.pausedAt === null;
}

/** Returns whether the first payment or free start is still missing. */
export function isUnstarted(subscription: Pick<Subscription, 'status' | 'activeUntil'>): boolean {
  return subscription.status === 'inactive' && subscription.activeUntil === null;
}

export function isPaused(subscription: Pick<Subscription, 'status' | 'activeUntil'>): boolean {
  return subscription.status === 'inactive' && subscription.activeUntil !== null;
}

export type SubscriptionPhase = Exclude<SubscriptionStatus, 'inactive'> | 'awaiting_first_payment' | 'paused';

/** Returns the status, with `inactive` divided by whether the subscription has started. */
export function getSubscriptionPhase(
  subscription: Pick<Subscription, 'status' | 'activeUntil'>,
): SubscriptionPhase {
  const { status, activeUntil } = subscription;
  if (status !== 'inactive') return status;
  return activeUntil === null ? 'awaiting_first_payment' : 'paused';
}
