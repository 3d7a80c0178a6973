import { advisoryLocks } from '../kit/advisory-locks.ts';
import type { Db } from '../kit/db.ts';
import { newOrderedId } from '../kit/id.ts';
import { queryNamed } from '../kit/sql.ts';
import { type PlainTx, transactPlain } from '../kit/transact-plain.ts';
import { messages, subscriptionChargeMessages } from './catalogue.ts';
import { formatNotice, type Notice } from './notice.ts';
import { orderEvents } from './order-events.ts';
import {
  type PlannedNotification,
  planNotifications,
  type RelayedEvent,
  type WebhookTarget,
} from './plan-notifications.ts';

const batchSize = 500;
/** A call ends after so many batches, so that `now` does not grow old under a steady flow. */
const batchesMax = 100;

/**
 * The one relay that is at a batch holds a lock; the others wait for their turn. Relays that shared the events among
 * themselves by skipping locked rows would let an event overtake an earlier one of its object, and would wait for each
 * other's counters anyway. A relay that hangs while it has the lock, its machine gone perhaps, must not keep the others
 * waiting.
 */
const relayTurn = `
  SET LOCAL idle_in_transaction_session_timeout = '10s';
  SELECT pg_advisory_xact_lock(${advisoryLocks.relay})`;

/** A message that only a newer release knows is left to that release's relay. */
const knownMessages = Object.keys(messages);

/**
 * Takes the events not yet relayed: numbers them per merchant and mode without gaps, and writes a notification for
 * each webhook that wants one and for the callback. Answers how many events it took; any number of processes may call
 * it at once, and killed at any moment it has taken a batch wholly or not at all.
 */
export async function relayEvents(db: Db, options: { now: Date; signal?: AbortSignal }): Promise<number> {
  let total = 0;
  for (let batch = 0; batch < batchesMax; batch++) {
    const { relayed, notices } = await transactPlain(db, (tx) => relayBatch(tx, options.now), relayTurn);
    for (const notice of notices) db.announce(formatNotice(notice));
    total += relayed;
    if (relayed < batchSize || options.signal?.aborted) break;
  }
  return total;
}

async function relayBatch(tx: PlainTx, now: Date): Promise<{ relayed: number; notices: Notice[] }> {
  const events = orderEvents(await pickEvents(tx));
  if (events.length === 0) return { relayed: 0, notices: [] };
  const planned = planNotifications(events, await findWebhooks(tx, events));
  return { relayed: events.length, notices: await writeBatch(tx, { events, planned, now }) };
}

/** The first events, and all others of their objects: of one object none is left behind a later one. */
async function pickEvents(tx: PlainTx): Promise<RelayedEvent[]> {
  const values = [subscriptionMessages, knownMessages];
  const first = await queryNamed<RelayedEvent>(tx, firstSql, values);
  if (first.length < batchSize) return first;
  const objectIds = [...new Set(first.map((event) => event.objectId))];
  return queryNamed(tx, ofObjectsSql, [...values, objectIds]);
}

const subscriptionMessages = [...subscriptionChargeMessages];

const unrelayedSql = `
  SELECT id, merchant_id AS "merchantId", mode::text, message, object_id AS "objectId",
    object_version AS "objectVersion", callback_url AS "callbackUrl",
    CASE WHEN message = ANY ($1::text[]) THEN payload END AS payload
  FROM event WHERE relayed_at IS NULL AND message = ANY ($2::text[])`;
const firstSql = `${unrelayedSql} ORDER BY id LIMIT ${batchSize}`;
const ofObjectsSql = `${unrelayedSql} AND object_id = ANY ($3::text[])`;

function findWebhooks(tx: PlainTx, events: readonly RelayedEvent[]): Promise<WebhookTarget[]> {
  const merchantIds = [...new Set(events.map((event) => event.merchantId))];
  return queryNamed(tx, webhooksSql, [merchantIds]);
}

const webhooksSql = `
  SELECT id, merchant_id AS "merchantId", mode::text, url, version, coalesce(messages, '{}') AS messages,
    disabled_at IS NOT NULL AS "switchedOff"
  FROM webhook WHERE merchant_id = ANY ($1::text[]) AND deleted_at IS NULL`;

type Batch = { events: readonly RelayedEvent[]; planned: readonly PlannedNotification[]; now: Date };

/**
 * Numbers the events in their order, the last of a merchant and mode being `0` behind the raised counter, and inserts
 * their notifications: in one statement, since each is a way to the database and back. Their ids are in the order of
 * their events: so those due at one time go out.
 */
function writeBatch(tx: PlainTx, { events, planned, now }: Batch): Promise<Notice[]> {
  const counters = [...Map.groupBy(events, (event) => `${event.merchantId} ${event.mode}`).values()];
  const placed = counters.flatMap((ofCounter) =>
    ofCounter.map((event, i) => ({ ...event, behind: ofCounter.length - 1 - i })),
  );
  return queryNamed(tx, writeSql, [
    now,
    counters.map(([event]) => event!.merchantId),
    counters.map(([event]) => event!.mode),
    counters.map((ofCounter) => ofCounter.length),
    placed.map(({ id }) => id),
    placed.map(({ merchantId }) => merchantId),
    placed.map(({ mode }) => mode),
    placed.map(({ behind }) => behind),
    planned.map(() => newOrderedId('notification', now)),
    planned.map(({ event }) => event.merchantId),
    planned.map(({ event }) => event.mode),
    planned.map(({ event }) => event.id),
    planned.map(({ kind }) => kind),
    planned.map(({ webhookId }) => webhookId),
    planned.map(({ url }) => url),
    planned.map(({ queueKey }) => queueKey),
    planned.map(({ status }) => status),
    planned.map(({ event }) => event.message),
  ]);
}

const writeSql = `
  WITH counter AS (
    INSERT INTO event_counter AS counter (merchant_id, mode, last)
    SELECT merchant_id, mode::mode, events
    FROM unnest($2::text[], $3::text[], $4::bigint[]) AS taken (merchant_id, mode, events)
    ON CONFLICT (merchant_id, mode) DO UPDATE SET last = counter.last + excluded.last
    RETURNING merchant_id, mode::text, last
  ), numbered AS (
    UPDATE event SET relayed_at = $1::timestamptz, sequence = counter.last - placed.behind
    FROM unnest($5::text[], $6::text[], $7::text[], $8::bigint[]) AS placed (id, merchant_id, mode, behind)
      JOIN counter USING (merchant_id, mode)
    WHERE event.id = placed.id
  )
  INSERT INTO notification (id, merchant_id, mode, event_id, kind, webhook_id, url, queue_key, status, event_message,
    next_attempt_at, finished_at, created_at)
  SELECT id, merchant_id, mode::mode, event_id, kind::notification_kind, webhook_id, url, queue_key,
    status::notification_status, event_message, CASE status WHEN 'pending' THEN $1::timestamptz END,
    CASE status WHEN 'skipped' THEN $1::timestamptz END, $1::timestamptz
  FROM unnest($9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[], $17::text[],
    $18::text[]) AS planned (id, merchant_id, mode, event_id, kind, webhook_id, url, queue_key, status, event_message)
  ON CONFLICT DO NOTHING
  RETURNING id AS "objectId", merchant_id AS "merchantId", mode::text`;
