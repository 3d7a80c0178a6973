import { advisoryLocks } from '../kit/advisory-locks.ts';
import type { Db } from '../kit/db.ts';
import { newOrderedId } from '../kit/id.ts';
import { isOfRunningMerchantSql } from '../kit/running-merchants.ts';
import { queryPrepared } from '../kit/sql.ts';
import type { Queryable } from '../kit/with-client.ts';
import { withPgTransaction } from '../kit/with-pg-transaction.ts';
import { eventTypes, subscriptionChargeEventTypes } from './catalog.ts';
import { eventLogTopic, formatNotice, type Notice } from './notice.ts';
import {
  type PlannedNotification,
  planNotifications,
  type RelayedEvent,
  type WebhookTarget,
} from './plan-notifications.ts';

const batchSize = 500;
/** The maximum number of batches per call, so that `now` does not become stale under steady load. */
const batchesMax = 100;

/**
 * Only one relay processes a batch at a time; others wait for the lock. Concurrent relays with SKIP LOCKED
 * could reorder the events of an object, and would wait for each other's counters anyway. The timeout
 * releases the lock of a relay that hangs.
 */
const relayLock = `
  SET LOCAL idle_in_transaction_session_timeout = '10s';
  SELECT pg_advisory_xact_lock(${advisoryLocks.relay})`;

/** Event types of a newer release are left to that release's relay. */
const knownEventTypes = Object.keys(eventTypes);

/**
 * Relays new events: numbers them per merchant and mode without gaps, and writes a notification for each
 * subscribed webhook and for the callback. Returns the number of relayed events. Any number of processes may
 * call it concurrently. A batch is one transaction, so a killed process leaves no partial batch.
 */
export async function relayEvents(db: Db, options: { now: Date; signal?: AbortSignal }): Promise<number> {
  let total = 0;
  for (let batch = 0; batch < batchesMax; batch++) {
    const { count, notices } = await withPgTransaction(db, (tx) => relayBatch(tx, options.now), relayLock);
    for (const notice of notices) db.announce(formatNotice(notice));
    total += count;
    if (count < batchSize || options.signal?.aborted) break;
  }
  return total;
}

async function relayBatch(tx: Queryable, now: Date): Promise<{ count: number; notices: Notice[] }> {
  const events = orderEvents(await findUnrelayedEvents(tx));
  if (events.length === 0) return { count: 0, notices: [] };
  const notifications = planNotifications(events, await findWebhooks(tx, events));
  const notices = await writeBatch(tx, { events, notifications, now });
  return { count: events.length, notices: [...notices, ...toLogNotices(events)] };
}

/** Returns one notice for each merchant and mode whose log has grown. */
function toLogNotices(events: readonly RelayedEvent[]): Notice[] {
  const logs = new Map(events.map(({ merchantId, mode }) => [`${merchantId} ${mode}`, { merchantId, mode }]));
  return [...logs.values()].map((log) => ({ objectId: eventLogTopic, ...log }));
}

/**
 * Returns the first events and all other events of their objects, so that no event is relayed before an earlier one
 * of its object.
 */
async function findUnrelayedEvents(tx: Queryable): Promise<RelayedEvent[]> {
  const values = [subscriptionEventTypes, knownEventTypes];
  const nextEvents = await queryPrepared<RelayedEvent>(tx, nextBatchSql, values);
  if (nextEvents.length < batchSize) return nextEvents;
  const objectIds = [...new Set(nextEvents.map((event) => event.objectId))];
  return queryPrepared(tx, objectEventsSql, [...values, objectIds]);
}

const subscriptionEventTypes = [...subscriptionChargeEventTypes];

const unrelayedSql = `
  SELECT id, merchant_id AS "merchantId", mode::text, type, object_id AS "objectId",
    object_version AS "objectVersion", callback_url AS "callbackUrl",
    CASE WHEN type = ANY ($1::text[]) THEN payload END AS payload
  FROM event WHERE relayed_at IS NULL AND type = ANY ($2::text[]) AND ${isOfRunningMerchantSql}`;
const nextBatchSql = `${unrelayedSql} ORDER BY id LIMIT ${batchSize}`;
const objectEventsSql = `${unrelayedSql} AND object_id = ANY ($3::text[])`;

function findWebhooks(tx: Queryable, events: readonly RelayedEvent[]): Promise<WebhookTarget[]> {
  const merchantIds = [...new Set(events.map((event) => event.merchantId))];
  return queryPrepared(tx, webhooksSql, [merchantIds]);
}

const webhooksSql = `
  SELECT id, merchant_id AS "merchantId", mode::text, url, version, coalesce(event_types, '{}') AS "eventTypes",
    disabled_at IS NOT NULL AS "isDisabled"
  FROM webhook WHERE merchant_id = ANY ($1::text[]) AND deleted_at IS NULL`;

type RelayBatch = {
  events: readonly RelayedEvent[];
  notifications: readonly PlannedNotification[];
  now: Date;
};

/**
 * Numbers the events and inserts their notifications in one statement, to save round trips. `lastOffset` is
 * an event's distance from the end of its counter's new range. Notification IDs follow the order of the
 * events, which decides between notifications due at the same time.
 */
function writeBatch(tx: Queryable, { events, notifications, now }: RelayBatch): Promise<Notice[]> {
  const eventsByCounter = [...Map.groupBy(events, (event) => `${event.merchantId} ${event.mode}`).values()];
  const numberedEvents = eventsByCounter.flatMap((counterEvents) =>
    counterEvents.map((event, i) => ({ ...event, lastOffset: counterEvents.length - 1 - i })),
  );
  return queryPrepared(tx, writeSql, [
    now,
    eventsByCounter.map(([event]) => event!.merchantId),
    eventsByCounter.map(([event]) => event!.mode),
    eventsByCounter.map((counterEvents) => counterEvents.length),
    numberedEvents.map(({ id }) => id),
    numberedEvents.map(({ merchantId }) => merchantId),
    numberedEvents.map(({ mode }) => mode),
    numberedEvents.map(({ lastOffset }) => lastOffset),
    notifications.map(() => newOrderedId('notification', now)),
    notifications.map(({ event }) => event.merchantId),
    notifications.map(({ event }) => event.mode),
    notifications.map(({ event }) => event.id),
    notifications.map(({ kind }) => kind),
    notifications.map(({ webhookId }) => webhookId),
    notifications.map(({ url }) => url),
    notifications.map(({ queueKey }) => queueKey),
    notifications.map(({ status }) => status),
    notifications.map(({ event }) => event.type),
  ]);
}

const writeSql = `
  WITH counter AS (
    INSERT INTO event_counter AS counter (merchant_id, mode, last)
    SELECT merchant_id, mode::mode, events
    FROM unnest($2::text[], $3::text[], $4::bigint[]) AS batch_count (merchant_id, mode, events)
    ON CONFLICT (merchant_id, mode) DO UPDATE SET last = counter.last + excluded.last
    RETURNING merchant_id, mode::text, last
  ), numbered AS (
    UPDATE event SET relayed_at = $1::timestamptz, sequence = counter.last - batch_event.last_offset
    FROM unnest($5::text[], $6::text[], $7::text[], $8::bigint[]) AS batch_event (id, merchant_id, mode, last_offset)
      JOIN counter USING (merchant_id, mode)
    WHERE event.id = batch_event.id
  )
  INSERT INTO notification (id, merchant_id, mode, event_id, kind, webhook_id, url, queue_key, status, event_type,
    next_attempt_at, finished_at, created_at)
  SELECT id, merchant_id, mode::mode, event_id, kind::notification_kind, webhook_id, url, queue_key,
    status::notification_status, event_type, CASE status WHEN 'pending' THEN $1::timestamptz END,
    CASE status WHEN 'skipped' THEN $1::timestamptz END, $1::timestamptz
  FROM unnest($9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[], $17::text[],
    $18::text[]) AS new_notification (id, merchant_id, mode, event_id, kind, webhook_id, url, queue_key, status, event_type)
  ON CONFLICT DO NOTHING
  RETURNING id AS "objectId", merchant_id AS "merchantId", mode::text`;

type OrderableEvent = { id: string; objectId: string; objectVersion: number };

/**
 * Sorts events by ID, and thus by time, but never before an earlier event of the same object. A later event may
 * have a lower ID, because the clocks of processes differ.
 */
export function orderEvents<E extends OrderableEvent>(events: readonly E[]): E[] {
  const sortable = Map.groupBy(events, (event) => event.objectId)
    .values()
    .flatMap((objectEvents) => {
      let sortId = '';
      return objectEvents
        .toSorted((a, b) => a.objectVersion - b.objectVersion)
        .map((event) => {
          if (event.id > sortId) sortId = event.id;
          return { event, sortId };
        });
    });
  return [...sortable]
    .sort((a, b) =>
      a.sortId === b.sortId ? a.event.objectVersion - b.event.objectVersion : a.sortId < b.sortId ? -1 : 1,
    )
    .map(({ event }) => event);
}
