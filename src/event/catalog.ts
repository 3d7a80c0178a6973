/**
 * All event types by their wire name, each with its object and the first notification version that includes it.
 * Events with `never` are only in the event log and in live updates.
 */
export const eventTypes = {
  CHARGE_COMPLETE: { object: 'charge', since: '0.8' },
  charge_created: { object: 'charge', since: '0.9' },
  charge_completed: { object: 'charge', since: '0.9' },
  charge_expired: { object: 'charge', since: '1.0' },
  charge_cancelled: { object: 'charge', since: '1.0' },
  charge_extended: { object: 'charge', since: 'never' },
  charge_part_paid: { object: 'charge', since: '1.0' },
  charge_overpaid: { object: 'charge', since: '1.0' },
  session_created: { object: 'session', since: 'never' },
  session_initiated: { object: 'session', since: 'never' },
  session_charged: { object: 'session', since: 'never' },
  session_expired: { object: 'session', since: '1.0' },
  session_cancelled: { object: 'session', since: '1.0' },
  refund_initiated: { object: 'refund', since: '1.0' },
  refund_processing: { object: 'refund', since: '1.0' },
  refund_completed: { object: 'refund', since: '1.0' },
  refund_cancelled: { object: 'refund', since: '1.0' },
  subscription_created: { object: 'subscription', since: '0.9' },
  subscription_invoice_due: { object: 'invoice', since: '0.9' },
  subscription_paid: { object: 'subscription', since: '0.9' },
  subscription_paused: { object: 'subscription', since: '0.9' },
  subscription_resumed: { object: 'subscription', since: '1.0' },
  subscription_updated: { object: 'subscription', since: '1.0' },
  subscription_cancelled: { object: 'subscription', since: '0.9' },
  subscription_completed: { object: 'subscription', since: '0.9' },
  transfer_exception: { object: 'transfer', since: '1.0' },
} as const;

export type EventType = keyof typeof eventTypes;

/** Event types that webhooks receive only if the charge belongs to a subscription. */
export const subscriptionChargeEventTypes: ReadonlySet<EventType> = new Set([
  'charge_created',
  'charge_completed',
]);

export const notificationVersions = ['0.8', '0.9', '1.0'] as const;
export type NotificationVersion = (typeof notificationVersions)[number];

/** Returns whether a webhook receives the event. An empty `eventTypes` means all types of its version. */
export function isSubscribedTo(
  webhook: { version: string; eventTypes: string[] },
  eventType: EventType,
): boolean {
  const { since } = eventTypes[eventType];
  if (since === 'never' || since > webhook.version) return false;
  return webhook.eventTypes.length === 0 || webhook.eventTypes.includes(eventType);
}
