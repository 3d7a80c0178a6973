import type { Subscription, SubscriptionStatus } from '../../../../prisma/client/client.ts';

/** `inactive` awaits a payment: the first, or after a pause the missed one. */
export const subscriptionTransitions: Record<SubscriptionStatus, readonly SubscriptionStatus[]> = {
  inactive: ['active', 'cancelled'],
  active: ['inactive', 'completed', 'cancelled'],
  completed: [],
  cancelled: [],
};

/** Whether it goes on: it can be paid for and cancelled. */
export function isOngoing(subscription: Pick<Subscription, 'status'>): boolean {
  return subscription.status === 'active' || subscription.status === 'inactive';
}

/** Whether nothing has been paid yet, nor begun without payment. */
export function isUnstarted(subscription: Pick<Subscription, 'status' | 'activeUntil'>): boolean {
  return subscription.status === 'inactive' && subscription.activeUntil === null;
}

export function isPaused(subscription: Pick<Subscription, 'status' | 'activeUntil'>): boolean {
  return subscription.status === 'inactive' && subscription.activeUntil !== null;
}
