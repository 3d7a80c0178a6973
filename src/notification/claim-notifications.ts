import type { Mode, NotificationKind, NotificationStatus } from '../../prisma/client/client.ts';
import type { Message } from '../event/catalogue.ts';
import { formatNotice } from '../event/notice.ts';
import type { Db } from '../kit/db.ts';
import type { NotifiedEvent } from './notification-body.ts';

/** A notification that this process alone may post until `claimedUntil`. */
export type Claim = {
  id: string;
  merchantId: string;
  mode: Mode;
  kind: NotificationKind;
  url: string;
  /** Deliveries of one lane take turns. */
  lane: string;
  attemptsMade: number;
  claimedUntil: Date;
  event: NotifiedEvent;
  /** Null for a callback. */
  webhook: { id: string; username: string; passwordSealed: string; version: string } | null;
};

export type ClaimOptions = {
  now: Date;
  until: Date;
  limit: number;
  perLane: number;
  /** How many deliveries of a lane are under way. */
  busy: ReadonlyMap<string, number>;
};

/**
 * Claims due notifications, oldest first, leaving out lanes that have no place: a dead endpoint with many due
 * deliveries must not stand before the others. A claim that ran out is taken again: its process was killed. Those of a
 * webhook that was switched off or deleted meanwhile become `skipped`. Answers the claims and how many rows it moved.
 */
export async function claimNotifications(
  db: Db,
  options: ClaimOptions,
): Promise<{ claims: Claim[]; moved: number }> {
  const lanes = [...options.busy.keys()];
  const used = [...options.busy.values()];
  // Not a prepared statement: its plan would be kept from when the queue was empty, and read a full one from end to end.
  const values = [options.now, options.until, options.limit, options.perLane, lanes, used];
  const { rows } = await db.pool.query<ClaimRow>(claimSql, values);
  for (const row of rows.filter(({ status }) => status === 'skipped')) {
    db.announce(formatNotice({ objectId: row.id, merchantId: row.merchantId, mode: row.mode }));
  }
  const claims = rows.filter(({ status }) => status === 'pending').map((row) => toClaim(row, options.until));
  return { claims, moved: rows.length };
}

type ClaimRow = {
  id: string;
  merchantId: string;
  mode: Mode;
  kind: NotificationKind;
  status: NotificationStatus;
  url: string;
  lane: string;
  attemptsMade: number;
  webhookId: string | null;
  username: string;
  passwordSealed: string;
  version: string;
  eventId: string;
  message: Message;
  objectId: string;
  objectVersion: number;
  payload: string;
  createdAt: Date;
};

/** $1 now, $2 until, $3 limit, $4 per lane, $5 and $6 the busy lanes and their deliveries under way. */
const claimSql = `
  WITH busy AS (
    SELECT lane, used FROM unnest($5::text[], $6::int[]) AS busy (lane, used)
  ), due AS (
    SELECT id, webhook_id, next_attempt_at, lane
    FROM notification
    WHERE status = 'pending' AND next_attempt_at <= $1 AND (claimed_until IS NULL OR claimed_until <= $1)
      AND lane <> ALL (ARRAY(SELECT lane FROM busy WHERE used >= $4))
    ORDER BY next_attempt_at LIMIT $3
    FOR UPDATE OF notification SKIP LOCKED
  ), placed AS (
    SELECT due.*, row_number() OVER (PARTITION BY lane ORDER BY next_attempt_at) AS place FROM due
  ), chosen AS (
    SELECT placed.id, lane, webhook.url, username, password_sealed, version,
      disabled_at IS NOT NULL OR deleted_at IS NOT NULL AS off
    FROM placed LEFT JOIN busy USING (lane) LEFT JOIN webhook ON webhook.id = placed.webhook_id
    WHERE place <= $4 - coalesce(used, 0)
  )
  UPDATE notification
  SET status = CASE WHEN off THEN 'skipped' ELSE status END,
    url = coalesce(chosen.url, notification.url),
    claimed_until = CASE WHEN NOT off THEN $2::timestamptz END,
    next_attempt_at = CASE WHEN NOT off THEN next_attempt_at END,
    finished_at = CASE WHEN off THEN $1::timestamptz END
  FROM chosen, event
  WHERE notification.id = chosen.id AND event.id = notification.event_id
  RETURNING notification.id, notification.merchant_id AS "merchantId", notification.mode, kind, status,
    notification.url, notification.lane, attempts_made AS "attemptsMade", webhook_id AS "webhookId", username,
    password_sealed AS "passwordSealed", version, event.id AS "eventId", message, object_id AS "objectId",
    object_version AS "objectVersion", payload, event.created_at AS "createdAt"`;

function toClaim(row: ClaimRow, claimedUntil: Date): Claim {
  const { id, merchantId, mode, kind, url, lane, attemptsMade, username, passwordSealed, version } = row;
  const { message, objectId, objectVersion, payload, createdAt } = row;
  return {
    id,
    merchantId,
    mode,
    kind,
    url,
    lane,
    attemptsMade,
    claimedUntil,
    event: { id: row.eventId, merchantId, message, objectId, objectVersion, payload, createdAt },
    webhook: row.webhookId === null ? null : { id: row.webhookId, username, passwordSealed, version },
  };
}
