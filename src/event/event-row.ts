import type { Mode } from '../../prisma/client/client.ts';
import type { MerchantTime } from '../kit/clock.ts';
import { newEventId } from '../kit/id.ts';
import type { EventType } from './catalog.ts';

export type EventInput = {
  merchantId: string;
  mode: Mode;
  type: EventType;
  objectId: string;
  /** The object's version after the change; increases with every event of the object. */
  objectVersion: number;
  /** The documented object, without the members common to all events. */
  payload: object;
  /** The API key, user, customer, bank or job that caused the event. */
  actor: string;
  /** For charges created by a key or user: the IP address of the client. */
  ipAddress?: string | undefined;
  callbackUrl?: string | null | undefined;
  now: MerchantTime;
};

/** Creates a row of the table `event`, with a new ID and the serialized payload. */
export function toEventRow(input: EventInput) {
  const id = newEventId(input.now);
  return {
    id,
    merchantId: input.merchantId,
    mode: input.mode,
    type: input.type,
    objectId: input.objectId,
    objectVersion: input.objectVersion,
    payload: serializePayload(id, input),
    actor: input.actor,
    ipAddress: input.ipAddress ?? null,
    callbackUrl: input.callbackUrl ?? null,
    test: false,
    createdAt: input.now,
  };
}

/**
 * Serializes the payload, whose exact bytes are signed and sent. It contains the event ID and the mode, because a
 * signature covers only the payload. `notifyPayload` is the last member.
 */
function serializePayload(id: string, { payload, mode, type: eventType, now }: EventInput): string {
  const { notifyPayload, ...members } = payload as { notifyPayload?: string };
  const timestamp = now.getTime() / 1_000;
  return JSON.stringify({ ...members, mode, eventId: id, eventType, timestamp, notifyPayload });
}
