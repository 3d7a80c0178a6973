import { type EventType, eventTypes } from '../event/catalogue.ts';

/** The version in callbacks, which have no setting of their own: that of webhooks by default. */
export const callbackVersion = '0.9';

/** The event a notification tells of, as stored. */
export type NotifiedEvent = {
  id: string;
  merchantId: string;
  message: EventType;
  objectId: string;
  objectVersion: number;
  /** Compact JSON; goes into the body as it is. */
  payload: string;
  createdAt: Date;
};

/**
 * The one body of all notifications, the same bytes at every attempt. `timestamp` is the event's time in seconds with
 * a fraction. The payload is the very text that was stored, so a signature over it holds for
 * `JSON.stringify(JSON.parse(body).payload)`; the signature, in callbacks alone, comes last.
 */
export function toNotificationBody(
  event: NotifiedEvent,
  options: { version: string; signature?: string },
): string {
  const head = [
    toMember('merchantId', event.merchantId),
    `"timestamp":${(event.createdAt.getTime() / 1_000).toFixed(3)}`,
    toMember('eventId', event.id),
    toMember('notificationVersion', options.version),
    toMember('objectVersion', event.objectVersion),
    ...(eventTypes[event.message].object === 'charge' ? [toMember('chargeId', event.objectId)] : []),
    toMember('message', event.message),
  ];
  const signature = options.signature === undefined ? [] : [toMember('signature', options.signature)];
  return `{${[...head, `"payload":${event.payload}`, ...signature].join(',')}}`;
}

function toMember(name: string, value: string | number): string {
  return `${JSON.stringify(name)}:${JSON.stringify(value)}`;
}
