import type { Mode, NotificationKind } from '../../prisma/client/client.ts';
import type { Db } from '../kit/db.ts';
import { isOfRunningMerchantSql } from '../kit/running-merchants.ts';
import type { NotifiedEvent } from './notification-body.ts';
import type { DueQueue } from './slots.ts';

/** A notification that only this process may send until `leasedUntil`. */
export type NotificationClaim = {
  id: string;
  merchantId: string;
  mode: Mode;
  kind: NotificationKind;
  url: string;
  queueKey: string;
  attemptCount: number;
  /** The number of attempts before the last resend; the retry schedule starts after them. */
  attemptCountAtReset: number;
  leasedUntil: Date;
  /**
   * Whether this is a test about a sample object. A test is attempted once, and does not affect the webhook's
   * health.
   */
  isTest: boolean;
  event: NotifiedEvent;
  /** The size of a large payload; 0 for other payloads. */
  largeBytes: number;
  /** Null for a callback. */
  webhook: ClaimedWebhook | null;
};

type ClaimedWebhook = {
  id: string;
  username: string;
  passwordEncrypted: string;
  version: string;
  failing: boolean;
  disabled: boolean;
  deleted: boolean;
  /** Null unless signatures are enabled. */
  signingSecretEncrypted: string | null;
  /** The previous secret while it is still used for signing. */
  previousSigningSecretEncrypted: string | null;
};

/**
 * With fewer due deliveries than this, only the queues of these deliveries are examined, even if other queues
 * contain many future retries.
 */
const dueMax = 250;

/** Only larger payloads count against the memory budget, so that they never delay ordinary notifications. */
const ordinaryBytesMax = 64 * 1_024;

const isDue = `status = 'pending' AND next_attempt_at <= $1 AND (leased_until IS NULL OR leased_until <= $1)`;

/**
 * Finds the queues of the most overdue deliveries. If `dueMax` or more are due, `all_queues` steps through
 * the index from queue to queue, so that each queue costs the same, regardless of its backlog. Limits are
 * subqueries, and rows are read one at a time in index order, so that no plan reads and sorts a backlog that
 * the planner underestimates.
 */
export const dueQueuesSql = `
  WITH RECURSIVE soonest AS (
    SELECT queue_key FROM notification WHERE ${isDue} ORDER BY next_attempt_at LIMIT (SELECT ${dueMax})
  ), all_queues AS (
    (SELECT queue_key FROM notification WHERE status = 'pending' AND (SELECT count(*) = ${dueMax} FROM soonest)
      ORDER BY queue_key LIMIT 1)
    UNION ALL
    SELECT (SELECT queue_key FROM notification WHERE status = 'pending' AND queue_key > all_queues.queue_key
      ORDER BY queue_key LIMIT 1)
    FROM all_queues WHERE queue_key IS NOT NULL
  ), queue AS (
    SELECT queue_key, count(*)::int AS due FROM soonest GROUP BY queue_key
    HAVING NOT EXISTS (SELECT FROM all_queues)
    UNION ALL
    SELECT queue_key, ${dueMax} FROM all_queues
    WHERE (SELECT true FROM notification WHERE notification.queue_key = all_queues.queue_key AND ${isDue}
      ORDER BY next_attempt_at LIMIT 1)
  )
  SELECT queue_key AS key, due, merchant_id AS "merchantId", failing, disabled, concurrency, "ratePerSecond"
  FROM (SELECT queue_key, due, coalesce(webhook.merchant_id, split_part(queue_key, ' ', 1)) AS merchant_id,
      failing_since IS NOT NULL AS failing, disabled_at IS NOT NULL OR deleted_at IS NOT NULL AS disabled,
      concurrency, rate_per_second AS "ratePerSecond"
    FROM queue LEFT JOIN webhook ON webhook.id = queue_key) AS due_queue
  WHERE ${isOfRunningMerchantSql}`;

/**
 * Finds the queues with due deliveries. A webhook with its own limits is leased by one process at a time, so
 * that the process can enforce the limits alone.
 */
export async function findDueQueues(
  { pool }: Pick<Db, 'pool'>,
  { now, leasedUntil, workerId }: { now: Date; leasedUntil: Date; workerId: string },
): Promise<DueQueue[]> {
  const { rows: queues } = await pool.query<DueQueue>(dueQueuesSql, [now]);
  const limitedKeys = new Set(queues.filter(isLimited).map(({ key }) => key));
  if (limitedKeys.size === 0) return queues;
  const { rows } = await pool.query<{ id: string }>(leaseSql, [[...limitedKeys], workerId, now, leasedUntil]);
  const leasedKeys = new Set(rows.map(({ id }) => id));
  return queues.filter(({ key }) => !limitedKeys.has(key) || leasedKeys.has(key));
}

function isLimited({ concurrency, ratePerSecond, disabled }: DueQueue): boolean {
  return !disabled && (concurrency !== null || ratePerSecond !== null);
}

const leaseSql = `
  UPDATE webhook SET leased_by = $2, leased_until = $4
  WHERE id IN (SELECT id FROM webhook WHERE id = ANY ($1)
    AND (leased_by = $2 OR leased_until IS NULL OR leased_until <= $3) FOR UPDATE SKIP LOCKED)
  RETURNING id`;

/** Releases this process's webhook leases, so that other processes can deliver to them. */
export async function releaseWebhooks({ pool }: Pick<Db, 'pool'>, workerId: string): Promise<void> {
  await pool.query('UPDATE webhook SET leased_by = NULL, leased_until = NULL WHERE leased_by = $1', [
    workerId,
  ]);
}

/**
 * The first attempt for an object waits until every earlier event of the object was attempted at the same
 * endpoint. Subqueries with LIMIT and an array of IDs force index lookups, regardless of the planner's estimates. A
 * claim lost in a crash is repeated, so the commit does not wait for the disk. Large payloads are claimed until they
 * exceed the budget, from merchants in turn and random order, so that no merchant always comes first.
 */
export const claimSql = `
  WITH due AS (
    SELECT picked.*, (SELECT octet_length(payload) FROM event WHERE event.id = event_id) AS bytes
    FROM set_config('synchronous_commit', 'off', true), unnest($3::text[], $4::int[]) AS queue (key, slots)
    CROSS JOIN LATERAL (
      SELECT id, event_id, merchant_id, next_attempt_at FROM notification
      WHERE queue_key = queue.key AND ${isDue} AND (attempt_count > 0 OR (
        SELECT true
        FROM event AS this_event
          JOIN event AS earlier ON earlier.object_id = this_event.object_id AND earlier.object_version < this_event.object_version
          JOIN notification AS earlier_notification ON earlier_notification.event_id = earlier.id
            AND coalesce(earlier_notification.webhook_id, '') = coalesce(notification.webhook_id, '')
        WHERE this_event.id = notification.event_id AND earlier_notification.finished_at IS NULL AND earlier_notification.attempt_count = 0
        LIMIT 1) IS NULL)
      ORDER BY next_attempt_at, id LIMIT queue.slots FOR UPDATE SKIP LOCKED) AS picked
  ), ranked AS (
    SELECT *, row_number() OVER (PARTITION BY merchant_id ORDER BY next_attempt_at, id) AS rank
    FROM due WHERE bytes > ${ordinaryBytesMax}
  ), large AS (
    SELECT id, sum(bytes) OVER (ORDER BY rank, random()) - bytes AS bytes_before FROM ranked
  ), claimed AS (
    UPDATE notification
    SET leased_until = $2, url = coalesce((SELECT url FROM webhook WHERE webhook.id = webhook_id), url)
    WHERE id = ANY (ARRAY(
      SELECT id FROM due WHERE bytes <= ${ordinaryBytesMax}
      UNION ALL SELECT id FROM large WHERE bytes_before < $5))
    RETURNING *)
  SELECT claimed.id, claimed.merchant_id AS "merchantId", claimed.mode, kind, claimed.url, queue_key AS "queueKey",
    attempt_count AS "attemptCount", attempt_count_at_reset AS "attemptCountAtReset", test AS "isTest",
    webhook_id AS "webhookId", username, password_encrypted AS "passwordEncrypted", version,
    failing_since IS NOT NULL AS failing, disabled_at IS NOT NULL AS disabled, deleted_at IS NOT NULL AS deleted,
    signing_secret_encrypted AS "signingSecretEncrypted",
    CASE WHEN previous_signing_secret_expires_at > $1 THEN previous_signing_secret_encrypted END AS "previousSigningSecretEncrypted",
    event_id AS "eventId", type, object_id AS "objectId", object_version AS "objectVersion", payload,
    CASE WHEN octet_length(payload) > ${ordinaryBytesMax} THEN octet_length(payload) ELSE 0 END AS "largeBytes",
    event.created_at AS "createdAt"
  FROM claimed JOIN event ON event.id = event_id LEFT JOIN webhook ON webhook.id = webhook_id
  ORDER BY next_attempt_at, claimed.id`;

/**
 * Claims due notifications, the most overdue first, up to the number of slots of each queue. Expired claims are claimed
 * again. The large payloads together exceed `largeBytesFree` by less than one payload, and none is claimed if it is not
 * positive.
 */
export async function claimNotifications(
  { pool }: Pick<Db, 'pool'>,
  options: { now: Date; leasedUntil: Date; slots: ReadonlyMap<string, number>; largeBytesFree: number },
): Promise<NotificationClaim[]> {
  const { now, leasedUntil, slots, largeBytesFree } = options;
  if (slots.size === 0) return [];
  const values = [now, leasedUntil, [...slots.keys()], [...slots.values()], largeBytesFree];
  const { rows } = await pool.query<ClaimRow>(claimSql, values);
  return rows.map((row) => ({
    ...row,
    leasedUntil,
    event: { ...row, id: row.eventId },
    webhook: row.webhookId === null ? null : { ...row, id: row.webhookId },
  }));
}

type ClaimRow = Omit<NotificationClaim, 'webhook' | 'event' | 'leasedUntil'> &
  Omit<ClaimedWebhook, 'id'> &
  Omit<NotifiedEvent, 'id'> & { webhookId: string | null; eventId: string };
