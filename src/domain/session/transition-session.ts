import type { CheckoutSession, Prisma, SessionStatus } from '../../../prisma/client/client.ts';
import type { Message } from '../../event/catalogue.ts';
import { recordEvent } from '../../event/record-event.ts';
import type { Tx } from '../../kit/db.ts';
import type { Owner } from '../../kit/owner.ts';
import type { MethodCode } from '../../method/catalogue.ts';
import { findAvailableMethods } from '../receiving-account/find-available-methods.ts';
import { sessionObject } from './session-object.ts';
import { sessionClosed, sessionTransitions } from './session-state.ts';

type Change = {
  now: Date;
  actor: string;
  data?: Pick<Prisma.CheckoutSessionUncheckedUpdateInput, 'claimHash' | 'expiresAt'>;
};

const messageOf = {
  created: 'session_created',
  initiated: 'session_initiated',
  charged: 'session_charged',
  cancelled: 'session_cancelled',
  expired: 'session_expired',
} as const satisfies Record<SessionStatus, Message>;

/** The one writer of a session's status: compare-and-set, and its event, in the caller's transaction. */
export async function transitionSession(
  tx: Tx,
  session: CheckoutSession,
  to: SessionStatus,
  change: Change,
): Promise<CheckoutSession> {
  if (!sessionTransitions[session.status].includes(to)) throw sessionClosed(session.status);
  const [moved] = await tx.checkoutSession.updateManyAndReturn({
    where: { id: session.id, status: session.status },
    data: { ...change.data, status: to, version: { increment: 1 }, updatedAt: change.now },
  });
  if (!moved)
    throw sessionClosed((await tx.checkoutSession.findUniqueOrThrow({ where: { id: session.id } })).status);
  await recordSessionEvent(tx, moved, change);
  return moved;
}

export async function recordSessionEvent(
  tx: Tx,
  session: CheckoutSession,
  options: { now: Date; actor: string },
): Promise<void> {
  await recordEvent(tx, {
    merchantId: session.merchantId,
    mode: session.mode,
    message: messageOf[session.status],
    objectId: session.id,
    objectVersion: session.version,
    payload: {
      sessionId: session.id,
      merchantId: session.merchantId,
      ...sessionObject(session, await methodsOf(tx, session)),
    },
    ...options,
  });
}

const methodsRead = new WeakMap<Tx, Map<string, Promise<MethodCode[]>>>();

/** Read once in a transaction for each merchant and mode: a sweep ends many sessions. */
function methodsOf(tx: Tx, { merchantId, mode }: Owner): Promise<MethodCode[]> {
  const read = methodsRead.get(tx) ?? new Map<string, Promise<MethodCode[]>>();
  methodsRead.set(tx, read);
  const name = `${merchantId} ${mode}`;
  const methods = read.get(name) ?? findAvailableMethods({ prisma: tx }, { merchantId, mode });
  read.set(name, methods);
  return methods;
}
