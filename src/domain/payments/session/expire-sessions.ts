import { transact, type UnitOfWork } from '../../../event/unit-of-work.ts';
import { type DueBatch, processDue } from '../../../kit/process-due.ts';
import { type SweepScope, sweepScopeSql } from '../../platform/clock/for-each-clock.ts';
import type { Service } from '../../platform/service.ts';
import { transitionSessions } from './transition-session.ts';

const batchSize = 200;

/**
 * Expires all due sessions in batches, also concurrently with other workers. Returns the number of expired
 * sessions. If some fail, expires the others and then throws.
 */
export async function expireSessions(
  service: Service,
  scope: SweepScope,
  signal?: AbortSignal,
): Promise<number> {
  return processDue({ batchSize, failureMessage: 'some sessions could not be expired', signal }, (batch) =>
    transact(service, (uow) => expireBatch(uow, { scope, batch })),
  );
}

async function expireBatch(
  uow: UnitOfWork<Service>,
  { scope, batch }: { scope: SweepScope; batch: DueBatch },
): Promise<number> {
  const { now } = scope;
  const due = await uow.tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM checkout_session
    WHERE status IN ('created', 'initiated') AND expires_at < ${now} AND ${sweepScopeSql(scope)}
      AND id <> ALL(${[...batch.excludedIds]}::text[])
    ORDER BY expires_at LIMIT ${batch.limit} FOR UPDATE SKIP LOCKED`;
  const ids = due.map(({ id }) => id);
  batch.onLocked(ids);
  if (ids.length === 0) return 0;
  const sessions = await uow.tx.checkoutSession.findMany({ where: { id: { in: ids } } });
  await transitionSessions(uow, sessions, 'expired', { now, actor: 'job:expire-sessions' });
  return sessions.length;
}
