import { formatNotice } from '../event/notice.ts';
import { batchCalls } from '../kit/batch-calls.ts';
import type { Db } from '../kit/db.ts';
import { newId } from '../kit/id.ts';
import type { Queryable } from '../kit/with-client.ts';
import { withPgTransaction } from '../kit/with-pg-transaction.ts';
import type { DeliveryAttempt } from './attempt-notification.ts';
import { type AlertDraft, draftCallbackAlerts, updateEndpointHealth } from './endpoint-health.ts';
import { isDelivered } from './notification-state.ts';

/**
 * Records attempts in batches: attempts that end during a write form the next batch. Failures, and the first
 * success after them, also change the endpoint's health and need a transaction. They have separate batches,
 * so that failing endpoints do not slow down the others.
 */
export function createRecorder(
  db: Db,
  onAlert: (alert: AlertDraft) => void,
): (attempt: DeliveryAttempt) => Promise<void> {
  const writeSuccesses = async (attempts: readonly DeliveryAttempt[]) =>
    announceAttempts(db, await writeAttempts(db.pool, attempts));
  const writeHealthChanges = async (attempts: readonly DeliveryAttempt[]) => {
    const { recorded: recordedAttempts, alerts } = await withPgTransaction(db, async (tx) => {
      const recordedAttempts = await writeAttempts(tx, attempts);
      return { recorded: recordedAttempts, alerts: await updateEndpointHealth(tx, recordedAttempts) };
    });
    announceAttempts(db, recordedAttempts);
    for (const alert of alerts) onAlert(alert);
  };
  const record = batchCalls<DeliveryAttempt>(
    (kind, attempts) => (kind === 'success' ? writeSuccesses(attempts) : writeHealthChanges(attempts)),
    { size: Number.POSITIVE_INFINITY, concurrency: 2 },
  );
  return (attempt) => record(affectsHealth(attempt) ? 'health_change' : 'success', attempt);
}

function affectsHealth(attempt: DeliveryAttempt): boolean {
  const { claim, result } = attempt;
  if (claim.isTest || result === null) return false;
  if (claim.webhook) return !isDelivered(result) || claim.webhook.failing;
  return draftCallbackAlerts(attempt).length > 0;
}

function announceAttempts(db: Db, recordedAttempts: readonly DeliveryAttempt[]): void {
  for (const { claim } of recordedAttempts) {
    const { id, merchantId, mode } = claim;
    db.announce(formatNotice({ objectId: id, merchantId, mode }));
  }
}

/**
 * Returns the attempts that were recorded. If another process has taken over a claim, only the attempt of that
 * process is recorded.
 */
async function writeAttempts(
  client: Queryable,
  attempts: readonly DeliveryAttempt[],
): Promise<DeliveryAttempt[]> {
  const values = [attempts.map(({ claim }) => claim.id), JSON.stringify(attempts.map(toRow))];
  const { rows } = await client.query<{ id: string }>({ name: 'record-attempts', text: recordSql, values });
  const recordedIds = new Set(rows.map(({ id }) => id));
  return attempts.filter(({ claim }) => recordedIds.has(claim.id));
}

function toRow({ claim, startedAt, endedAt, result, next }: DeliveryAttempt) {
  return {
    id: claim.id,
    leased_until: claim.leasedUntil,
    status: next.status,
    number: claim.attemptCount + (result ? 1 : 0),
    next_attempt_at: next.status === 'pending' ? next.nextAttemptAt : null,
    finished_at: next.status === 'pending' ? null : endedAt,
    started_at: startedAt,
    ...(result && {
      attempt_id: newId('attempt', startedAt),
      duration_ms: result.durationMs,
      http_status: result.status,
      error: result.error,
      response_body: result.responseBody,
    }),
  };
}

/**
 * Rows are found by ID. The status is compared as text, so that the planner does not choose an index on the status
 * because of outdated statistics.
 */
const recordSql = `
  WITH updated AS (
    UPDATE notification
    SET status = done.status, attempt_count = number, next_attempt_at = done.next_attempt_at, leased_until = NULL,
      finished_at = done.finished_at
    FROM json_to_recordset($2) AS done (id text, leased_until timestamptz, status notification_status, number int,
      next_attempt_at timestamptz, finished_at timestamptz, attempt_id text, started_at timestamptz, duration_ms int,
      http_status int, error text, response_body text)
    WHERE notification.id = ANY ($1) AND notification.id = done.id
      AND notification.status::text = 'pending' AND notification.leased_until = done.leased_until
    RETURNING done.*
  ), inserted AS (
    INSERT INTO notification_attempt (id, notification_id, number, started_at, duration_ms, response_status, error, response_body)
    SELECT attempt_id, id, number, started_at, duration_ms, http_status, error, response_body FROM updated
    WHERE attempt_id IS NOT NULL
  )
  SELECT id FROM updated`;
