import type { BankFeedStatus, FeedDeliveryStatus } from '../../../../prisma/client/client.ts';

/** Allowed status changes of a bank feed. A paused feed becomes `new` or `connected` when it is resumed. */
export const bankFeedTransitions: Record<BankFeedStatus, readonly BankFeedStatus[]> = {
  new: ['connected', 'failing', 'paused'],
  connected: ['late', 'failing', 'paused'],
  late: ['connected', 'failing', 'paused'],
  failing: ['connected', 'paused'],
  paused: ['new', 'connected'],
};

/** Allowed status changes of a delivery. Only `rejected` deliveries, of which nothing is stored, are final. */
export const feedDeliveryTransitions: Record<FeedDeliveryStatus, readonly FeedDeliveryStatus[]> = {
  rejected: [],
  received: ['received', 'processed', 'ignored', 'observed', 'failed'],
  processed: ['processed', 'ignored', 'failed', 'received'],
  ignored: ['processed', 'ignored', 'observed', 'failed', 'received'],
  observed: ['processed', 'ignored', 'observed', 'failed', 'received'],
  failed: ['processed', 'ignored', 'observed', 'failed', 'received'],
};
