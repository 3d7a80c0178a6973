import type { CheckoutSession, Prisma, SessionStatus } from '../../../../prisma/client/client.ts';
import type { EventType } from '../../../event/catalogue.ts';
import { recordEvents } from '../../../event/record-event.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import { findMethodsForOwners } from '../../accounts/receiving-account/find-available-methods.ts';
import { sessionClosed, sessionTransitions } from './session-state.ts';
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
 * the status. Compares and sets on the status that the caller read.
 */
export async function transitionSession(
  uow: UnitOfWork,
  session: CheckoutSession,
  to: SessionStatus,
  change: SessionChange,
): Promise<CheckoutSession> {
  const [updated] = await transitionSessions(uow, [session], to, change);
  return updated as CheckoutSession;
}

/** Does the same for several sessions in a fixed number of statements, all or none. */
export async function transitionSessions(
  uow: UnitOfWork,
  sessions: readonly CheckoutSession[],
  to: SessionStatus,
  change: SessionChange,
): Promise<CheckoutSession[]> {
  const invalid = sessions.find(({ status }) => !sessionTransitions[status].includes(to));
  if (invalid) throw sessionClosed(invalid.status);
  const updated = await uow.tx.checkoutSession.updateManyAndReturn({
    where: { OR: [...Map.groupBy(sessions, ({ status }) => status)].map(whereUnchanged) },
    data: { ...change.data, status: to, version: { increment: 1 }, updatedAt: change.now },
  });
  if (updated.length < sessions.length) {
    const updatedIds = new Set(updated.map(({ id }) => id));
    const id = sessions.find((session) => !updatedIds.has(session.id))!.id;
    throw sessionClosed((await uow.tx.checkoutSession.findUniqueOrThrow({ where: { id } })).status);
  }
  await recordSessionEvents(uow, updated, change);
  return updated;
}

function whereUnchanged([status, sessions]: [SessionStatus, CheckoutSession[]]) {
  return { status, id: { in: sessions.map(({ id }) => id) } };
}

/** Records one event for each session, named by its status. */
export async function recordSessionEvents(
  uow: UnitOfWork,
  sessions: readonly CheckoutSession[],
  options: { now: MerchantTime; actor: string },
): Promise<void> {
  const getMethods = await findMethodsForOwners({ prisma: uow.tx }, sessions);
  const events = sessions.map((session) => ({
    merchantId: session.merchantId,
    mode: session.mode,
    type: eventTypeByStatus[session.status],
    objectId: session.id,
    objectVersion: session.version,
    payload: {
      sessionId: session.id,
      merchantId: session.merchantId,
      ...toSessionView(session, getMethods(session)),
    },
    ...options,
  }));
  recordEvents(uow, events);
}
