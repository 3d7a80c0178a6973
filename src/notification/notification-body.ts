import { type EventType, eventTypes } from '../event/catalog.ts';

/** The notification version of callbacks. */
export const callbackVersion = '0.9';

/** The event of a notification, as stored. */
export type NotifiedEvent = {
  id: string;
  merchantId: string;
  type: EventType;
  objectId: string;
  objectVersion: number;
  /** Compact JSON, copied verbatim into the body. */
  payload: string;
  createdAt: Date;
};

/**
 * Builds the body of a notification, with identical bytes at every attempt. `timestamp` is the event's time
 * in seconds, with a fraction. The payload is the stored text, so its signature verifies against
 * `JSON.stringify(JSON.parse(body).payload)`. Only callbacks have a signature, as the last member.
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
    ...(eventTypes[event.type].object === 'charge' ? [toMember('chargeId', event.objectId)] : []),
    toMember('message', event.type),
  ];
  const signature = options.signature === undefined ? [] : [toMember('signature', options.signature)];
  return `{${[...head, `"payload":${event.payload}`, ...signature].join(',')}}`;
}

function toMember(name: string, value: string | number): string {
  return `${JSON.stringify(name)}:${JSON.stringify(value)}`;
}
