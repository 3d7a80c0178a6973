import { Prisma } from '../../prisma/client/client.ts';
import { afterCommit, type Db, type Tx, transact } from '../kit/db.ts';
import { newId } from '../kit/id.ts';
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
 * Held by the one relay that is at a batch; the others wait for their turn. Relays that shared the events among
 * themselves by skipping locked rows would let an event overtake an earlier one of its object, and would wait for each
 * other's counters anyway.
 */
const relayLock = 7_215_402_002n;

/** A message that only a newer release knows is left to that release's relay. */
const knownMessages = Object.keys(messages);

/**
 * Takes the events not yet relayed: numbers them per merchant and mode without gaps, and writes a notification for
 * each webhook that wants one and for the callback. Answers how many events it took; any number of processes may call
 * it at once, and killed at any moment it has taken a batch wholly or not at all.
 */
export async function relayEvents(db: Db, options: { now: Date }): Promise<number> {
  let total = 0;
  for (let batch = 0; batch < batchesMax; batch++) {
    const relayed = await transact(db, (tx) => relayBatch(tx, options.now));
    total += relayed;
    if (relayed < batchSize) break;
  }
  return total;
}

async function relayBatch(tx: Tx, now: Date): Promise<number> {
  // A relay that hangs while it has the lock, its machine gone perhaps, must not keep the others waiting.
  await tx.$executeRaw`
    SELECT set_config('idle_in_transaction_session_timeout', '10s', true), pg_advisory_xact_lock(${relayLock})`;
  const events = orderEvents(await pickEvents(tx));
  if (events.length === 0) return 0;
  const planned = planNotifications(events, await findWebhooks(tx, events));
  await markRelayed(tx, events, now);
  if (planned.length > 0) await insertNotifications(tx, planned, now);
  return events.length;
}

/** The first events, and all others of their objects: of one object none is left behind a later one. */
async function pickEvents(tx: Tx): Promise<RelayedEvent[]> {
  const first = await findUnrelayed(tx, Prisma.sql`ORDER BY id LIMIT ${batchSize}`);
  if (first.length < batchSize) return first;
  const objectIds = [...new Set(first.map((event) => event.objectId))];
  return findUnrelayed(tx, Prisma.sql`AND object_id = ANY (${objectIds})`);
}

function findUnrelayed(tx: Tx, which: Prisma.Sql): Promise<RelayedEvent[]> {
  return tx.$queryRaw<RelayedEvent[]>`
    SELECT id, merchant_id AS "merchantId", mode::text, message, object_id AS "objectId",
      object_version AS "objectVersion", callback_url AS "callbackUrl",
      CASE WHEN message = ANY (${[...subscriptionChargeMessages]}) THEN payload END AS payload
    FROM event WHERE relayed_at IS NULL AND message = ANY (${knownMessages}) ${which}`;
}

function findWebhooks(tx: Tx, events: readonly RelayedEvent[]): Promise<WebhookTarget[]> {
  const merchantIds = [...new Set(events.map((event) => event.merchantId))];
  return tx.$queryRaw<WebhookTarget[]>`
    SELECT id, merchant_id AS "merchantId", mode::text, url, version, coalesce(messages, '{}') AS messages,
      disabled_at IS NOT NULL AS "switchedOff"
    FROM webhook WHERE merchant_id = ANY (${merchantIds}) AND deleted_at IS NULL`;
}

/** Numbers the events in their order: the last of a merchant and mode is `0` behind the raised counter. */
async function markRelayed(tx: Tx, events: readonly RelayedEvent[], now: Date): Promise<void> {
  const counters = [...Map.groupBy(events, (event) => `${event.merchantId} ${event.mode}`).values()];
  const placed = counters.flatMap((ofCounter) =>
    ofCounter.map(({ id, merchantId, mode }, i) => ({
      id,
      merchantId,
      mode,
      behind: ofCounter.length - 1 - i,
    })),
  );
  await tx.$executeRaw`
    WITH counter AS (
      INSERT INTO event_counter AS counter (merchant_id, mode, last)
      SELECT merchant_id, mode::mode, events
      FROM unnest(${counters.map(([event]) => event!.merchantId)}::text[],
        ${counters.map(([event]) => event!.mode)}::text[],
        ${counters.map((ofCounter) => ofCounter.length)}::bigint[]) AS taken (merchant_id, mode, events)
      ON CONFLICT (merchant_id, mode) DO UPDATE SET last = counter.last + excluded.last
      RETURNING merchant_id, mode::text, last
    )
    UPDATE event SET relayed_at = ${now}, sequence = counter.last - placed.behind
    FROM unnest(${placed.map((row) => row.id)}::text[], ${placed.map((row) => row.merchantId)}::text[],
        ${placed.map((row) => row.mode)}::text[], ${placed.map((row) => row.behind)}::bigint[])
        AS placed (id, merchant_id, mode, behind)
      JOIN counter USING (merchant_id, mode)
    WHERE event.id = placed.id`;
}

/** Their order is kept in the table: notifications due at one time go out in the order of their events. */
async function insertNotifications(
  tx: Tx,
  planned: readonly PlannedNotification[],
  now: Date,
): Promise<void> {
  const inserted = await tx.$queryRaw<Notice[]>`
    INSERT INTO notification (id, merchant_id, mode, event_id, kind, webhook_id, url, lane, status,
      next_attempt_at, finished_at, created_at)
    SELECT id, merchant_id, mode::mode, event_id, kind::notification_kind, webhook_id, url, lane,
      status::notification_status, CASE status WHEN 'pending' THEN ${now}::timestamptz END,
      CASE status WHEN 'skipped' THEN ${now}::timestamptz END, ${now}
    FROM unnest(${planned.map(() => newId('notification', now))}::text[],
      ${planned.map((row) => row.event.merchantId)}::text[], ${planned.map((row) => row.event.mode)}::text[],
      ${planned.map((row) => row.event.id)}::text[], ${planned.map((row) => row.kind)}::text[],
      ${planned.map((row) => row.webhookId)}::text[], ${planned.map((row) => row.url)}::text[],
      ${planned.map((row) => row.lane)}::text[], ${planned.map((row) => row.status)}::text[])
      AS planned (id, merchant_id, mode, event_id, kind, webhook_id, url, lane, status)
    ON CONFLICT DO NOTHING
    RETURNING id AS "objectId", merchant_id AS "merchantId", mode::text`;
  afterCommit(tx, (db) => {
    for (const notice of inserted) db.announce(formatNotice(notice));
  });
}
