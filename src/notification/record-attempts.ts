import { formatNotice } from '../event/notice.ts';
import type { Db } from '../kit/db.ts';
import { newId } from '../kit/id.ts';
import type { Claim } from './claim-notifications.ts';
import type { NextState } from './notification-state.ts';
import type { PostResult } from './post.ts';

export type Attempt = { claim: Claim; startedAt: Date; endedAt: Date; result: PostResult; next: NextState };

/**
 * Writes attempts and where their notifications go, each together or not at all, provided the claim still holds: when
 * it ran out and another process took it, that one's attempt counts. A webhook that is gone (410) is switched off.
 */
export async function recordAttempts(db: Db, attempts: readonly Attempt[]): Promise<void> {
  const { rows } = await db.pool.query<{ id: string }>(recordSql, columnsOf(attempts));
  const recorded = new Set(rows.map((row) => row.id));
  for (const { claim } of attempts) {
    const { id, merchantId, mode } = claim;
    if (recorded.has(id)) db.announce(formatNotice({ objectId: id, merchantId, mode }));
  }
}

const recordSql = `
  WITH done AS (
    SELECT * FROM unnest($1::text[], $2::timestamptz[], $3::text[], $4::int[], $5::timestamptz[], $6::timestamptz[],
      $7::text[], $8::text[], $9::timestamptz[], $10::int[], $11::int[], $12::text[], $13::text[])
      AS done (id, claimed_until, status, number, next_attempt_at, finished_at,
        gone_webhook_id, attempt_id, started_at, duration_ms, http_status, error, answer)
  ), moved AS (
    UPDATE notification
    SET status = done.status::notification_status, attempts_made = done.number,
      next_attempt_at = done.next_attempt_at, claimed_until = NULL, finished_at = done.finished_at
    FROM done
    WHERE notification.id = done.id AND notification.status = 'pending'
      AND notification.claimed_until = done.claimed_until
    RETURNING done.*
  ), switched_off AS (
    UPDATE webhook SET disabled_at = moved.finished_at, updated_at = moved.finished_at,
      disabled_reason = 'The address answered 410 Gone'
    FROM moved WHERE webhook.id = moved.gone_webhook_id AND webhook.disabled_at IS NULL
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
    column(({ claim, next }) => (next.switchWebhookOff ? (claim.webhook?.id ?? null) : null)),
    column(({ startedAt }) => newId('attempt', startedAt)),
    column(({ startedAt }) => startedAt),
    column(({ result }) => result.durationMs),
    column(({ result }) => result.status),
    column(({ result }) => result.error),
    column(({ result }) => result.answer),
  ];
}
