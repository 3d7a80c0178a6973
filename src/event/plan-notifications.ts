import type { Mode, NotificationKind, NotificationStatus } from '../../prisma/client/client.ts';
import type { MerchantScope } from '../kit/merchant-scope.ts';
import { type EventType, isSubscribedTo, subscriptionChargeEventTypes } from './catalog.ts';

/** The columns of an event from which notifications are planned; `payload` is null if its type does not need it. */
export type RelayedEvent = {
  id: string;
  merchantId: string;
  mode: Mode;
  type: EventType;
  objectId: string;
  objectVersion: number;
  callbackUrl: string | null;
  payload: string | null;
};

export type WebhookTarget = {
  id: string;
  merchantId: string;
  mode: Mode;
  url: string;
  version: string;
  eventTypes: string[];
  isDisabled: boolean;
};

export type PlannedNotification = {
  event: RelayedEvent;
  kind: NotificationKind;
  webhookId: string | null;
  url: string;
  /**
   * The delivery queue, which has its own limits: the webhook's ID, or the merchant with the callback's host and port.
   */
  queueKey: string;
  status: NotificationStatus;
};

/**
 * Plans one notification for each subscribed webhook, and one for the event's callback. Notifications to
 * disabled webhooks are `skipped`.
 */
export function planNotifications(
  events: readonly RelayedEvent[],
  webhooks: readonly WebhookTarget[],
): PlannedNotification[] {
  const webhooksByScope = Map.groupBy(webhooks, toScopeKey);
  return events.flatMap((event) => [
    ...planWebhookNotifications(event, webhooksByScope.get(toScopeKey(event)) ?? []),
    ...(event.callbackUrl === null ? [] : [planCallbackNotification(event, event.callbackUrl)]),
  ]);
}

function toScopeKey(row: MerchantScope): string {
  return `${row.merchantId} ${row.mode}`;
}

function planWebhookNotifications(
  event: RelayedEvent,
  webhooks: readonly WebhookTarget[],
): PlannedNotification[] {
  const subscribedWebhooks = webhooks.filter((webhook) => isSubscribedTo(webhook, event.type));
  if (subscribedWebhooks.length === 0 || !isSentToWebhooks(event)) return [];
  return subscribedWebhooks.map((webhook) => ({
    event,
    kind: 'webhook',
    webhookId: webhook.id,
    url: webhook.url,
    queueKey: webhook.id,
    status: webhook.isDisabled ? 'skipped' : 'pending',
  }));
}

function planCallbackNotification(event: RelayedEvent, url: string): PlannedNotification {
  return {
    event,
    kind: 'callback',
    webhookId: null,
    url,
    queueKey: `${event.merchantId} ${URL.parse(url)?.host ?? ''}`,
    status: 'pending',
  };
}

/** Webhooks receive some event types only for charges of subscriptions. */
function isSentToWebhooks(event: RelayedEvent): boolean {
  if (!subscriptionChargeEventTypes.has(event.type)) return true;
  return 'subscriptionId' in JSON.parse(event.payload ?? '{}');
}
