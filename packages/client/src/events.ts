import type { eventObjects } from './generated/catalog.ts';
import type {
  ChargeEventPayload,
  InvoiceEventPayload,
  RefundEventPayload,
  SessionEventPayload,
  SubscriptionEventPayload,
  TransferEventPayload,
} from './generated/rest.ts';

export type EventType = keyof typeof eventObjects;

type ObjectPayloads = {
  charge: ChargeEventPayload;
  session: SessionEventPayload;
  refund: RefundEventPayload;
  subscription: SubscriptionEventPayload;
  invoice: InvoiceEventPayload;
  transfer: TransferEventPayload;
};

export type EventPayload<Type extends EventType = EventType> = Type extends EventType
  ? ObjectPayloads[(typeof eventObjects)[Type]] & { eventType: Type }
  : never;

type WebhookEventOfType<Type extends EventType> = {
  merchantId: string;
  timestamp: number;
  eventId: string;
  notificationVersion: string;
  objectVersion: number;
  chargeId?: string;
  message: Type;
  payload: EventPayload<Type>;
};

/** The body of a notification to a webhook. Compare `message` to narrow the type of `payload`. */
export type WebhookEvent<Type extends EventType = EventType> = Type extends EventType
  ? WebhookEventOfType<Type>
  : never;

/** The payload of a callback, which is its only signed part. */
export type CallbackEvent = EventPayload<'CHARGE_COMPLETE'>;
