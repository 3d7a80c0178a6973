import type { Mode } from '../../prisma/client/client.ts';
import type { Tx } from '../kit/db.ts';
import { newEventId } from '../kit/id.ts';
import { insertRows } from '../kit/insert-rows.ts';
import { announceChange } from './announce-change.ts';
import type { Message } from './catalogue.ts';

export type EventInput = {
  merchantId: string;
  mode: Mode;
  message: Message;
  objectId: string;
  /** The object's version after the change; rises with every event of the object. */
  objectVersion: number;
  /** The documented object, without the members that every event adds. */
  payload: object;
  /** Who did it: a key, user, customer, bank or job. */
  actor: string;
  /** Network address it was asked from, where no audit entry tells of it. */
  address?: string | undefined;
  callbackUrl?: string | null | undefined;
  now: Date;
};

/** Writes the event into the caller's transaction, and has the processes told once that has committed. */
export async function recordEvent(tx: Tx, input: EventInput): Promise<void> {
  await recordEvents(tx, [input]);
}

/** Many at once, in one statement; those of one object in the order of its versions. */
export async function recordEvents(tx: Tx, inputs: readonly EventInput[]): Promise<void> {
  const heldBack = held.get(tx);
  if (heldBack) heldBack.push(...inputs);
  else await insertEvents(tx, inputs);
}

/** The events that a transaction has recorded and not written yet. */
const held = new WeakMap<Tx, EventInput[]>();

/**
 * Holds back the events that `work` records in the transaction, and writes them after it, in their order and in one
 * statement: for sweeps, which change many objects. `timeOf` puts those first that are due first. When it throws,
 * nothing is written, as the transaction will not be either.
 */
export async function recordTogether<Result>(
  tx: Tx,
  work: () => Promise<Result>,
  timeOf: (event: EventInput) => number = () => 0,
): Promise<Result> {
  const events: EventInput[] = [];
  held.set(tx, events);
  try {
    const result = await work();
    await insertEvents(
      tx,
      events.toSorted((a, b) => timeOf(a) - timeOf(b)),
    );
    return result;
  } finally {
    held.delete(tx);
  }
}

async function insertEvents(tx: Tx, inputs: readonly EventInput[]): Promise<void> {
  if (inputs.length === 0) return;
  await insertRows(tx, 'event', inputs.map(eventRow));
  for (const input of inputs) announceChange(tx, input);
}

/** The row of an event. */
export function eventRow(input: EventInput) {
  const id = newEventId(input.now);
  return {
    id,
    merchantId: input.merchantId,
    mode: input.mode,
    message: input.message,
    objectId: input.objectId,
    objectVersion: input.objectVersion,
    payload: payloadOf(id, input),
    actor: input.actor,
    address: input.address ?? null,
    callbackUrl: input.callbackUrl ?? null,
    createdAt: input.now,
  };
}

/**
 * The bytes that are signed and sent. They say which event they are and of which mode, because a signature covers
 * nothing else of the body. `notifyPayload` is the last member.
 */
function payloadOf(id: string, { payload, mode, message, now }: EventInput): string {
  const { notifyPayload, ...documented } = payload as { notifyPayload?: string };
  const timestamp = now.getTime() / 1_000;
  return JSON.stringify({ ...documented, mode, eventId: id, eventType: message, timestamp, notifyPayload });
}
