/** A webhook that fails at present is tried by so many deliveries at a time, and by no more when it has a backlog. */
const failingPlaces = 2;

/**
 * While no more than this is due, it tells which lanes have something due; the others, whose retries lie ahead, cost
 * nothing however many they are. Beyond, every lane with something pending is looked at.
 */
const foreseen = 1_000;

/** So many deliveries of a switched-off webhook become `skipped` at a time. */
const skippedMax = 100;

/**
 * For the transaction of the claim. To plan it takes longer than to run it, so its plan is kept, and must be right
 * whether the queue was empty then or full: every table is read by its index, lane by lane and row by row, in its
 * order. A claim need not outlive PostgreSQL, so it does not wait for the disk: one that is lost is made again.
 */
export const claimSettings = [
  'plan_cache_mode = force_generic_plan',
  'enable_seqscan = off',
  'enable_sort = off',
  'synchronous_commit = off',
]
  .map((setting) => `SET LOCAL ${setting}`)
  .join('; ');

/**
 * $1 now, $2 until, $3 places in all, $4 places of a lane, $5 to $7 the lanes in use, their deliveries under way (less
 * those they may have claimed in advance) and those begun in the last second, $8 who claims, $9 places for what is
 * doubtful, $10 which of the lanes are slow, $11 and $12 the merchants with places in use and what is left for them,
 * $13 for others.
 *
 * `every` steps through the index from one lane to the next, so that its cost is that of the lanes and not of their
 * deliveries; likewise the array, and the looks at one row each (LIMIT 1), keep the planner from reading tables from
 * end to end for the few rows it cannot foresee. `first` keeps the lanes that have waited longest, as many as there are
 * places, so that no more rows are locked however many lanes there are; and apart those whose oldest is a retry or that
 * fail or are slow, so that thousands of dead endpoints do not stand before one that works. Merchants take turns
 * (`rank`), in lanes and in what is claimed of them, so that one with thousands of lanes does not stand before the
 * others. What was locked is then found by its place (`ctid`), which no plan can turn into a search; what is joined to
 * it is found by what was chosen, so that no index of it is of use. A webhook with limits is leased by one claimer for
 * as long as its claims hold: its counts are then those of all processes.
 */
export const claimSql = `
  WITH RECURSIVE soonest AS (
    SELECT lane FROM notification
    WHERE status = 'pending' AND next_attempt_at <= $1 AND (claimed_until IS NULL OR claimed_until <= $1)
    ORDER BY next_attempt_at LIMIT ${foreseen}
  ), backlog AS (
    SELECT count(*) = ${foreseen} AS is_large FROM soonest
  ), every AS (
    (SELECT lane FROM notification WHERE status = 'pending' AND (SELECT is_large FROM backlog) ORDER BY lane LIMIT 1)
    UNION ALL
    SELECT (SELECT lane FROM notification WHERE status = 'pending' AND lane > every.lane ORDER BY lane LIMIT 1)
    FROM every WHERE lane IS NOT NULL
  ), lanes AS (
    SELECT lane FROM every
    UNION ALL (SELECT DISTINCT lane FROM soonest WHERE NOT (SELECT is_large FROM backlog))
  ), busy AS (
    SELECT * FROM unnest($5::text[], $6::int[], $7::int[], $10::boolean[]) AS busy (lane, used, begun, slow)
  ), owner AS (
    SELECT * FROM unnest($11::text[], $12::bigint[]) AS owner (merchant_id, room)
  ), open AS (
    SELECT lanes.lane, off, deleted, failing OR coalesce(slow, false) AS ailing, limited,
      CASE WHEN off THEN ${skippedMax} ELSE least(coalesce(concurrency, $4), CASE WHEN failing THEN ${failingPlaces} END)
        - CASE WHEN failing THEN greatest(used, 0) ELSE coalesce(used, 0) END END AS places,
      CASE WHEN NOT off THEN rate_per_second - coalesce(begun, 0) END AS starts
    FROM lanes LEFT JOIN busy ON busy.lane = lanes.lane
    LEFT JOIN LATERAL (SELECT * FROM webhook WHERE webhook.id = lanes.lane LIMIT 1) AS webhook ON true
    CROSS JOIN LATERAL (SELECT
      disabled_at IS NOT NULL OR deleted_at IS NOT NULL AS off, deleted_at IS NOT NULL AS deleted,
      failing_since IS NOT NULL AS failing, concurrency IS NOT NULL OR rate_per_second IS NOT NULL AS limited) AS state
    WHERE lanes.lane IS NOT NULL
  ), leased AS (
    UPDATE webhook SET lease_holder = $8, leased_until = $2
    WHERE id IN (
      SELECT webhook.id FROM webhook JOIN open ON lane = webhook.id
      WHERE limited AND places > 0 AND coalesce(starts, 1) > 0
        AND (lease_holder = $8 OR leased_until IS NULL OR leased_until <= $1)
        AND (SELECT true FROM notification WHERE status = 'pending' AND lane = webhook.id AND next_attempt_at <= $1 LIMIT 1)
      FOR UPDATE OF webhook SKIP LOCKED)
    RETURNING id
  ), oldest AS (
    SELECT open.*, found.*, coalesce(room, $13::bigint) AS room,
      row_number() OVER (PARTITION BY ailing OR retry, found.merchant_id ORDER BY next_attempt_at) AS rank
    FROM open CROSS JOIN LATERAL (
      SELECT merchant_id, next_attempt_at, attempts_made > attempts_before AS retry FROM notification
      WHERE status = 'pending' AND lane = open.lane AND next_attempt_at <= $1
        AND (claimed_until IS NULL OR claimed_until <= $1)
      ORDER BY next_attempt_at LIMIT 1) AS found
    LEFT JOIN owner ON owner.merchant_id = found.merchant_id
    WHERE least(places, starts) > 0 AND (NOT limited OR lane IN (SELECT id FROM leased))
  ), first AS (
    SELECT lane, merchant_id, room, off, deleted, ailing, places, starts,
      row_number() OVER (PARTITION BY ailing OR retry ORDER BY rank, next_attempt_at) AS turn
    FROM oldest WHERE off OR room > 0
  ), due AS (
    SELECT found.*, lane, merchant_id, room, off, deleted, ailing OR attempts_made > attempts_before AS doubtful
    FROM first CROSS JOIN LATERAL (
      SELECT ctid AS place, id, event_id, next_attempt_at, attempts_made, attempts_before FROM notification
      WHERE status = 'pending' AND lane = first.lane AND next_attempt_at <= $1
        AND (claimed_until IS NULL OR claimed_until <= $1)
      ORDER BY next_attempt_at, id LIMIT least(places, starts, $3) FOR UPDATE SKIP LOCKED
    ) AS found
    WHERE turn <= $3::bigint
  ), judged AS (
    SELECT due.*, skipped, row_number() OVER (PARTITION BY skipped, doubtful, merchant_id ORDER BY next_attempt_at, id) AS rank
    FROM due CROSS JOIN LATERAL (
      SELECT deleted OR off AND NOT (SELECT test FROM event WHERE event.id = event_id) AS skipped) AS fate
  ), taken AS (
    SELECT judged.*, row_number() OVER (PARTITION BY doubtful ORDER BY rank, next_attempt_at) AS turn
    FROM judged WHERE NOT skipped
  ), fitting AS (
    SELECT taken.*, row_number() OVER (PARTITION BY merchant_id ORDER BY rank, next_attempt_at) AS of_merchant
    FROM taken WHERE turn <= CASE WHEN doubtful THEN $9::bigint ELSE $3::bigint END
  ), chosen AS (
    SELECT place, event_id, lane, doubtful, skipped FROM judged WHERE skipped
    UNION ALL (
      SELECT place, event_id, lane, doubtful, skipped FROM fitting WHERE of_merchant <= room
      ORDER BY rank, next_attempt_at LIMIT $3::bigint)
  )
  UPDATE notification
  SET status = CASE WHEN skipped THEN 'skipped' ELSE status END,
    url = coalesce(webhook.url, notification.url),
    claimed_until = CASE WHEN NOT skipped THEN $2::timestamptz END,
    next_attempt_at = CASE WHEN NOT skipped THEN next_attempt_at END,
    finished_at = CASE WHEN skipped THEN $1::timestamptz END
  FROM chosen
    LEFT JOIN LATERAL (SELECT * FROM webhook WHERE webhook.id = chosen.lane LIMIT 1) AS webhook ON true
    CROSS JOIN LATERAL (SELECT * FROM event WHERE event.id = chosen.event_id LIMIT 1) AS event
  WHERE notification.ctid = chosen.place
  RETURNING notification.id, notification.merchant_id AS "merchantId", notification.mode, kind, notification.status,
    notification.url, notification.lane, doubtful, notification.attempts_made AS "attemptsMade",
    notification.attempts_before AS "attemptsBefore", test AS "isTest", notification.webhook_id AS "webhookId",
    username, password_encrypted AS "passwordEncrypted", version, failing_since IS NOT NULL AS failing,
    rate_per_second AS "ratePerSecond", concurrency,
    signing_secret_encrypted AS "signingSecretEncrypted",
    CASE WHEN last_signing_secret_until > $1 THEN last_signing_secret_encrypted END AS "lastSigningSecretEncrypted",
    event.id AS "eventId", message, object_id AS "objectId", object_version AS "objectVersion", payload,
    event.created_at AS "createdAt"`;
