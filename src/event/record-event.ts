import type { Mode } from '../../prisma/client/client.ts';
import { afterCommit, type Tx } from '../kit/db.ts';
import { newEventId } from '../kit/id.ts';
import type { Message } from './catalogue.ts';
import { formatNotice } from './notice.ts';

export type EventInput = {
  merchantId: string;
  mode: Mode;
  message: Message;
  objectId: string;
  /** The object's version after the change; rises with every event of the object. */
  objectVersion: number;
  /** The documented object; kept as the very bytes that are signed and sent. */
  payload: object;
  /** Who did it: a key, user, customer, bank or job. */
  actor: string;
  callbackUrl?: string | null | undefined;
  now: Date;
};

/** Writes the event into the caller's transaction, and has the processes told once that has committed. */
export async function recordEvent(tx: Tx, input: EventInput): Promise<void> {
  const { merchantId, mode, objectId } = input;
  await tx.event.create({
    data: {
      id: newEventId(input.now),
      merchantId,
      mode,
      message: input.message,
      objectId,
      objectVersion: input.objectVersion,
      payload: JSON.stringify(input.payload),
      actor: input.actor,
      callbackUrl: input.callbackUrl ?? null,
      createdAt: input.now,
    },
  });
  afterCommit(tx, (db) => db.announce(formatNotice({ objectId, merchantId, mode })));
}
