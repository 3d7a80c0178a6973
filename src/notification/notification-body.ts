import { type Message, messages } from '../event/catalogue.ts';

/** The version in callbacks, which have no setting of their own: that of webhooks by default. */
export const callbackVersion = '0.9';

/** The event a notification tells of, as stored. */
export type NotifiedEvent = {
  id: string;
  merchantId: string;
  message: Message;
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
export function notificationBody(
  event: NotifiedEvent,
  options: { version: string; signature?: string },
): string {
  const head = [
    member('merchantId', event.merchantId),
    `"timestamp":${(event.createdAt.getTime() / 1_000).toFixed(3)}`,
    member('eventId', event.id),
    member('notificationVersion', options.version),
    member('objectVersion', event.objectVersion),
    ...(messages[event.message].object === 'charge' ? [member('chargeId', event.objectId)] : []),
    member('message', event.message),
  ];
  const signature = options.signature === undefined ? [] : [member('signature', options.signature)];
  return `{${[...head, `"payload":${event.payload}`, ...signature].join(',')}}`;
}

function member(name: string, value: string | number): string {
  return `${JSON.stringify(name)}:${JSON.stringify(value)}`;
}
