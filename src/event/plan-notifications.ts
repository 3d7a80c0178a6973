import type { Mode, NotificationKind, NotificationStatus } from '../../prisma/client/client.ts';
import type { Owner } from '../kit/owner.ts';
import { type Message, subscriptionChargeMessages, wantsMessage } from './catalogue.ts';

/** What the relay knows of an event; the payload only where the message needs it. */
export type RelayedEvent = {
  id: string;
  merchantId: string;
  mode: Mode;
  message: Message;
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
  messages: string[];
  switchedOff: boolean;
};

export type PlannedNotification = {
  event: RelayedEvent;
  kind: NotificationKind;
  webhookId: string | null;
  url: string;
  /** Limits concurrency and rate: the webhook's id, or the merchant and the host and port of a callback. */
  queueKey: string;
  status: NotificationStatus;
};

/** One notification for each webhook that wants the event, and one for its callback; `skipped` while switched off. */
export function planNotifications(
  events: readonly RelayedEvent[],
  webhooks: readonly WebhookTarget[],
): PlannedNotification[] {
  const webhooksOf = Map.groupBy(webhooks, owner);
  return events.flatMap((event) => [
    ...planWebhooks(event, webhooksOf.get(owner(event)) ?? []),
    ...(event.callbackUrl === null ? [] : [planCallback(event, event.callbackUrl)]),
  ]);
}

function owner(row: Owner): string {
  return `${row.merchantId} ${row.mode}`;
}

function planWebhooks(event: RelayedEvent, webhooks: readonly WebhookTarget[]): PlannedNotification[] {
  const wanting = webhooks.filter((webhook) => wantsMessage(webhook, event.message));
  if (wanting.length === 0 || !goesToWebhooks(event)) return [];
  return wanting.map((webhook) => ({
    event,
    kind: 'webhook',
    webhookId: webhook.id,
    url: webhook.url,
    queueKey: webhook.id,
    status: webhook.switchedOff ? 'skipped' : 'pending',
  }));
}

function planCallback(event: RelayedEvent, url: string): PlannedNotification {
  return {
    event,
    kind: 'callback',
    webhookId: null,
    url,
    queueKey: `${event.merchantId} ${URL.parse(url)?.host ?? ''}`,
    status: 'pending',
  };
}

/** Some messages of a charge are only for charges of subscriptions. */
function goesToWebhooks(event: RelayedEvent): boolean {
  if (!subscriptionChargeMessages.has(event.message)) return true;
  return 'subscriptionId' in JSON.parse(event.payload ?? '{}');
}
