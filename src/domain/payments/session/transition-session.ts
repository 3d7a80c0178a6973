import type { CheckoutSession, Prisma, SessionStatus } from '../../../../prisma/client/client.ts';
import type { EventType } from '../../../event/catalog.ts';
import { recordEvents } from '../../../event/record-event.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import { findMethodsForScopes } from '../../accounts/receiving-account/find-available-methods.ts';
import type { Service } from '../../platform/service.ts';
import { sessionClosedError, sessionTransitions } from './session-state.ts';
import { toSessionView } from './to-session-view.ts';

type SessionChange = {
  now: MerchantTime;
  actor: string;
  data?: Pick<Prisma.CheckoutSessionUncheckedUpdateInput, 'claimHash' | 'expiresAt'>;
};

const eventTypeByStatus = {
  created: 'session_created',
  initiated: 'session_initiated',
  charged: 'session_charged',
  cancelled: 'session_cancelled',
  expired: 'session_expired',
} as const satisfies Record<SessionStatus, EventType>;

/**
 * Changes the status of a session and records its event, in the caller's transaction. No other code writes
 * the status. Throws `session_expired`, `session_cancelled` or `session_already_used` if the transition is
 * not allowed, or the status has changed since the caller read the session.
 */
export async function transitionSession(
  uow: UnitOfWork<Service>,
  session: CheckoutSession,
  to: SessionStatus,
  change: SessionChange,
): Promise<CheckoutSession> {
  const [updated] = await transitionSessions(uow, [session], to, change);
  return updated as CheckoutSession;
}

/** Like `transitionSession`, for several sessions in a fixed number of statements. Changes all sessions or none. */
export async function transitionSessions(
  uow: UnitOfWork<Service>,
  sessions: readonly CheckoutSession[],
  to: SessionStatus,
  change: SessionChange,
): Promise<CheckoutSession[]> {
  const invalidSession = sessions.find(({ status }) => !sessionTransitions[status].includes(to));
  if (invalidSession) throw sessionClosedError(invalidSession.status);
  const updatedSessions = await uow.tx.checkoutSession.updateManyAndReturn({
    where: { OR: [...Map.groupBy(sessions, ({ status }) => status)].map(buildUnchangedFilter) },
    data: { ...change.data, status: to, version: { increment: 1 }, updatedAt: change.now },
  });
  if (updatedSessions.length < sessions.length) {
    const updatedIds = new Set(updatedSessions.map(({ id }) => id));
    const id = sessions.find((session) => !updatedIds.has(session.id))!.id;
    throw sessionClosedError((await uow.tx.checkoutSession.findUniqueOrThrow({ where: { id } })).status);
  }
  await recordSessionEvents(uow, updatedSessions, change);
  return updatedSessions;
}

function buildUnchangedFilter([status, sessions]: [SessionStatus, CheckoutSession[]]) {
  return { status, id: { in: sessions.map(({ id }) => id) } };
}

/** Records one event for each session, with the event type of its status. */
export async function recordSessionEvents(
  uow: UnitOfWork<Service>,
  sessions: readonly CheckoutSession[],
  options: { now: MerchantTime; actor: string },
): Promise<void> {
  const getMethods = await findMethodsForScopes({ prisma: uow.tx }, sessions);
  const events = sessions.map((session) => ({
    merchantId: session.merchantId,
    mode: session.mode,
    type: eventTypeByStatus[session.status],
    objectId: session.id,
    objectVersion: session.version,
    payload: {
      sessionId: session.id,
      merchantId: session.merchantId,
      ...toSessionView(uow, session, getMethods(session)),
    },
    ...options,
  }));
  recordEvents(uow, events);
}
