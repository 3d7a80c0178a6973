import type { CheckoutSession, Prisma, SessionStatus } from '../../../../prisma/client/client.ts';
import type { Message } from '../../../event/catalogue.ts';
import { recordEvents } from '../../../event/record-event.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import { findMethodsOfMany } from '../../accounts/receiving-account/find-available-methods.ts';
import { sessionObject } from './session-object.ts';
import { sessionClosed, sessionTransitions } from './session-state.ts';

type Change = {
  now: MerchantTime;
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
  uow: UnitOfWork,
  session: CheckoutSession,
  to: SessionStatus,
  change: Change,
): Promise<CheckoutSession> {
  const [moved] = await transitionSessions(uow, [session], to, change);
  return moved as CheckoutSession;
}

/** The same for many sessions at once: in a fixed number of statements, all of them or none. */
export async function transitionSessions(
  uow: UnitOfWork,
  sessions: readonly CheckoutSession[],
  to: SessionStatus,
  change: Change,
): Promise<CheckoutSession[]> {
  const refused = sessions.find(({ status }) => !sessionTransitions[status].includes(to));
  if (refused) throw sessionClosed(refused.status);
  const moved = await uow.tx.checkoutSession.updateManyAndReturn({
    where: { OR: [...Map.groupBy(sessions, ({ status }) => status)].map(whereStill) },
    data: { ...change.data, status: to, version: { increment: 1 }, updatedAt: change.now },
  });
  if (moved.length < sessions.length) {
    const left = new Set(moved.map(({ id }) => id));
    const id = sessions.find((session) => !left.has(session.id))!.id;
    throw sessionClosed((await uow.tx.checkoutSession.findUniqueOrThrow({ where: { id } })).status);
  }
  await recordSessionEvents(uow, moved, change);
  return moved;
}

function whereStill([status, sessions]: [SessionStatus, CheckoutSession[]]) {
  return { status, id: { in: sessions.map(({ id }) => id) } };
}

/** Writes an event of each, which tells of its status. */
export async function recordSessionEvents(
  uow: UnitOfWork,
  sessions: readonly CheckoutSession[],
  options: { now: MerchantTime; actor: string },
): Promise<void> {
  const methodsOf = await findMethodsOfMany({ prisma: uow.tx }, sessions);
  const inputs = sessions.map((session) => ({
    merchantId: session.merchantId,
    mode: session.mode,
    message: messageOf[session.status],
    objectId: session.id,
    objectVersion: session.version,
    payload: {
      sessionId: session.id,
      merchantId: session.merchantId,
      ...sessionObject(session, methodsOf(session)),
    },
    ...options,
  }));
  recordEvents(uow, inputs);
}
