import type { eventObjects } from './generated/catalog.ts';
import type { Invoice, Order, Refund, Session, Subscription } from './generated/rest.ts';

export type EventType = keyof typeof eventObjects;

/** The members of every payload. */
type EventMembers<Type extends EventType> = {
  mode: 'live' | 'sandbox';
  /** The same in every attempt and resend. Store it to process each event once. */
  eventId: string;
  eventType: Type;
  /** The time of the event in seconds. */
  timestamp: number;
  /** Your own text, if you set it. */
  notifyPayload?: string;
};

export type ChargeEventPayload = {
  chargeId: string;
  merchantId: string;
  merchantAmount: number;
  merchantCurrency: string;
  customerAmount: number;
  customerCurrency: string;
  /** What has arrived so far, in `customerCurrency`. */
  amountReceived: number;
  status: string;
  paymentMethod: string;
  orders: (Order & { currency?: string })[];
  sessionId?: string;
  subscriptionId?: string;
};

export type TransferEventPayload = {
  transferId: string;
  merchantId: string;
  /** The ID of the source, such as your bank. */
  id: string;
  receivingAccountId: string;
  amount: number;
  currency: string;
  reference: string;
  payerName?: string;
  status: string;
  reason: string;
  paidAt: string;
};

type ObjectPayloads = {
  charge: ChargeEventPayload;
  session: Session & { sessionId: string; merchantId: string };
  refund: Omit<Refund, 'detailsUrl'>;
  /** `chargeId` is the charge that was paid; only in `subscription_paid` and `subscription_completed`. */
  subscription: Subscription & { chargeId?: string };
  invoice: Invoice;
  transfer: TransferEventPayload;
};

export type EventPayload<Type extends EventType = EventType> = Type extends EventType
  ? ObjectPayloads[(typeof eventObjects)[Type]] & EventMembers<Type>
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

/** The body of a webhook. Compare `message` to get the type of its payload. */
export type WebhookEvent<Type extends EventType = EventType> = Type extends EventType
  ? WebhookEventOfType<Type>
  : never;

/** The signed part of a callback. */
export type CallbackEvent = EventPayload<'CHARGE_COMPLETE'>;
