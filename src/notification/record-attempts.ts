import { formatNotice } from '../event/notice.ts';
import type { Db } from '../kit/db.ts';
import { newId } from '../kit/id.ts';
import { transactPlain } from '../kit/transact-plain.ts';
import type { Queryable } from '../kit/with-client.ts';
import type { Attempt } from './attempt.ts';
import { type AlertDraft, judgeCallback } from './judge-endpoint.ts';
import { judgeEndpoints } from './judge-endpoints.ts';
import { isDelivered } from './notification-state.ts';

/**
 * Writes attempts and where their notifications go, each together or not at all, provided the claim still holds: when
 * it ran out and another process took it, that one's attempt counts. What failed, or ends a failure, also says how the
 * endpoint does; the alerts that gives rise to are written in the same transaction, and answered.
 */
export async function recordAttempts(db: Db, attempts: readonly Attempt[]): Promise<AlertDraft[]> {
  const { quiet = [], telling = [] } = Object.groupBy(attempts, (attempt) =>
    isQuiet(attempt) ? 'quiet' : 'telling',
  );
  const [, alerts] = await Promise.all([
    quiet.length > 0 && writeAttempts(db.pool, quiet).then((recorded) => announce(db, recorded)),
    telling.length > 0 ? recordTelling(db, telling) : [],
  ]);
  return alerts;
}

/** A success of an endpoint that works, or a try-out: nothing follows for the endpoint. */
export function isQuiet(attempt: Attempt): boolean {
  const { claim, result } = attempt;
  if (claim.isTest) return true;
  if (claim.webhook) return isDelivered(result) && !claim.webhook.failing;
  return judgeCallback(attempt).length === 0;
}

async function recordTelling(db: Db, attempts: readonly Attempt[]): Promise<AlertDraft[]> {
  const { recorded, alerts } = await transactPlain(db, async (tx) => {
    const recorded = await writeAttempts(tx, attempts);
    return { recorded, alerts: await judgeEndpoints(tx, recorded) };
  });
  announce(db, recorded);
  return alerts;
}

function announce(db: Db, recorded: readonly Attempt[]): void {
  for (const { claim } of recorded) {
    const { id, merchantId, mode } = claim;
    db.announce(formatNotice({ objectId: id, merchantId, mode }));
  }
}

/** Answers the attempts whose claims still held. */
async function writeAttempts(client: Queryable, attempts: readonly Attempt[]): Promise<Attempt[]> {
  const values = columnsOf(attempts);
  const { rows } = await client.query<{ id: string }>({ name: 'record-attempts', text: recordSql, values });
  const recorded = new Set(rows.map((row) => row.id));
  return attempts.filter(({ claim }) => recorded.has(claim.id));
}

/**
 * Found by their ids: as text the status names no index, or the planner, when it last counted while nothing waited, would
 * go through all that is pending for each.
 */
const recordSql = `
  WITH done AS (
    SELECT * FROM unnest($1::text[], $2::timestamptz[], $3::text[], $4::int[], $5::timestamptz[], $6::timestamptz[],
      $7::text[], $8::timestamptz[], $9::int[], $10::int[], $11::text[], $12::text[])
      AS done (id, claimed_until, status, number, next_attempt_at, finished_at,
        attempt_id, started_at, duration_ms, http_status, error, answer)
  ), moved AS (
    UPDATE notification
    SET status = done.status::notification_status, attempts_made = done.number,
      next_attempt_at = done.next_attempt_at, claimed_until = NULL, finished_at = done.finished_at
    FROM done
    WHERE notification.id = ANY ($1) AND notification.id = done.id
      AND notification.status::text = 'pending' AND notification.claimed_until = done.claimed_until
    RETURNING done.*
  )
  INSERT INTO notification_attempt (id, notification_id, number, started_at, duration_ms, status, error, answer)
  SELECT attempt_id, id, number, started_at, duration_ms, http_status, error, answer FROM moved
  RETURNING notification_id AS id`;

/** The parameters of `recordSql`, a list for each column. */
function columnsOf(attempts: readonly Attempt[]): unknown[] {
  const column = <T>(pick: (attempt: Attempt) => T) => attempts.map(pick);
  return [
    column(({ claim }) => claim.id),
    column(({ claim }) => claim.claimedUntil),
    column(({ next }) => next.status),
    column(({ claim }) => claim.attemptsMade + 1),
    column(({ next }) => (next.status === 'pending' ? next.nextAttemptAt : null)),
    column(({ next, endedAt }) => (next.status === 'pending' ? null : endedAt)),
    column(({ startedAt }) => newId('attempt', startedAt)),
    column(({ startedAt }) => startedAt),
    column(({ result }) => result.durationMs),
    column(({ result }) => result.status),
    column(({ result }) => result.error),
    column(({ result }) => result.answer),
  ];
}
