import type { Mode } from '../../prisma/client/client.ts';
import type { MerchantTime } from '../kit/clock.ts';
import { newEventId } from '../kit/id.ts';
import type { EventType } from './catalogue.ts';

export type EventInput = {
  merchantId: string;
  mode: Mode;
  message: EventType;
  objectId: string;
  /** The object's version after the change; rises with every event of the object. */
  objectVersion: number;
  /** The documented object, without the members that every event adds. */
  payload: object;
  /** Who did it: a key, user, customer, bank or job. */
  actor: string;
  /** Of charges that a key or user created: the network address of the request. */
  address?: string | undefined;
  callbackUrl?: string | null | undefined;
  now: MerchantTime;
};

/** The row of an event. */
export function toEventRow(input: EventInput) {
  const id = newEventId(input.now);
  return {
    id,
    merchantId: input.merchantId,
    mode: input.mode,
    message: input.message,
    objectId: input.objectId,
    objectVersion: input.objectVersion,
    payload: serializePayload(id, input),
    actor: input.actor,
    address: input.address ?? null,
    callbackUrl: input.callbackUrl ?? null,
    test: false,
    createdAt: input.now,
  };
}

/**
 * The bytes that are signed and sent. They say which event they are and of which mode, because a signature covers
 * nothing else of the body. `notifyPayload` is the last member.
 */
function serializePayload(id: string, { payload, mode, message: eventType, now }: EventInput): string {
  const { notifyPayload, ...members } = payload as { notifyPayload?: string };
  const timestamp = now.getTime() / 1_000;
  return JSON.stringify({ ...members, mode, eventId: id, eventType, timestamp, notifyPayload });
}
