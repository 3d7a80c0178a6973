import type { BankFeedStatus, FeedDeliveryStatus } from '../../../../prisma/client/client.ts';

/** Allowed status changes of a bank feed. A paused feed becomes `new` or `connected` when it is resumed. */
export const bankFeedTransitions: Record<BankFeedStatus, readonly BankFeedStatus[]> = {
  new: ['connected', 'failing', 'paused'],
  connected: ['late', 'failing', 'paused'],
  late: ['connected', 'failing', 'paused'],
  failing: ['connected', 'paused'],
  paused: ['new', 'connected'],
};

/**
 * Allowed status changes of a delivery. Only `rejected` deliveries, whose content is not stored, are final.
 */
export const feedDeliveryTransitions: Record<FeedDeliveryStatus, readonly FeedDeliveryStatus[]> = {
  rejected: [],
  received: ['received', 'processed', 'ignored', 'observed', 'failed'],
  processed: ['processed', 'ignored', 'failed', 'received'],
  ignored: ['processed', 'ignored', 'observed', 'failed', 'received'],
  observed: ['processed', 'ignored', 'observed', 'failed', 'received'],
  failed: ['processed', 'ignored', 'observed', 'failed', 'received'],
};

/** Returns the statuses from which a feed may change to `to`. */
export function listFeedSources(to: BankFeedStatus): BankFeedStatus[] {
  return listSources(bankFeedTransitions, to);
}

/** Returns the statuses from which a delivery may change to `to`. */
export function listDeliverySources(to: FeedDeliveryStatus): FeedDeliveryStatus[] {
  return listSources(feedDeliveryTransitions, to);
}

function listSources<Status extends string>(
  transitions: Record<Status, readonly Status[]>,
  to: Status,
): Status[] {
  return (Object.keys(transitions) as Status[]).filter((from) => transitions[from].includes(to));
}
