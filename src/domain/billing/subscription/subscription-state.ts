import type { Subscription, SubscriptionStatus } from '../../../../prisma/client/client.ts';

/** Allowed status changes. `inactive` awaits a payment: the first one, or the missed one after a pause. */
export const subscriptionTransitions: Record<SubscriptionStatus, readonly SubscriptionStatus[]> = {
  inactive: ['active', 'cancelled'],
  active: ['inactive', 'completed', 'cancelled'],
  completed: [],
  cancelled: [],
};

/** Returns whether the subscription can be paid and cancelled. */
export function isOngoing(subscription: Pick<Subscription, 'status'>): boolean {
  return subscription.status === 'active' || subscription.status === 'inactive';
}

/** Returns whether nothing has been paid yet and no free start took place. */
export function isUnstarted(subscription: Pick<Subscription, 'status' | 'activeUntil'>): boolean {
  return subscription.status === 'inactive' && subscription.activeUntil === null;
}

export function isPaused(subscription: Pick<Subscription, 'status' | 'activeUntil'>): boolean {
  return subscription.status === 'inactive' && subscription.activeUntil !== null;
}
