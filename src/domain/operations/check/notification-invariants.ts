import { eventTypes, notificationVersions, subscriptionChargeEventTypes } from '../../../event/catalog.ts';
import { type Invariant, retainedSince } from './invariant.ts';

/** The event types of each notification version, as SQL rows. */
const expectedEvents = notificationVersions
  .flatMap((version) =>
    Object.entries(eventTypes)
      .filter(([, { since }]) => since !== 'never' && since <= version)
      .map(([eventType]) => `('${version}', '${eventType}')`),
  )
  .join(', ');

const subscriptionEventTypes = [...subscriptionChargeEventTypes]
  .map((eventType) => `'${eventType}'`)
  .join(', ');

export const notificationInvariants: readonly Invariant[] = [
  {
    name: 'event_numbers_without_gaps',
    promise: 'The event log of a merchant has no gaps',
    sql: `SELECT n.merchant_id || ' ' || n.mode FROM event_counter n
          LEFT JOIN event e ON e.merchant_id = n.merchant_id AND e.mode = n.mode AND e.sequence IS NOT NULL
          GROUP BY n.merchant_id, n.mode, n.last, n.pruned_to HAVING count(e.id) <> n.last - n.pruned_to
            OR coalesce(max(e.sequence), n.pruned_to) <> n.last OR coalesce(min(e.sequence), n.pruned_to + 1) <> n.pruned_to + 1`,
  },
  {
    name: 'callback_recorded',
    promise: 'Every relayed event that requires a callback has one',
    sql: `SELECT e.id FROM event e LEFT JOIN notification n ON n.event_id = e.id AND n.kind = 'callback'
          WHERE e.relayed_at >= ${retainedSince('notification')} AND e.callback_url IS NOT NULL AND n.id IS NULL`,
  },
  {
    name: 'webhook_notified',
    promise: 'Every relayed event has a notification for each webhook that was subscribed to it at the time',
    // Excludes webhooks that were created or changed after the event, or shortly before: their subscriptions may have
    // been different at the time.
    sql: `SELECT e.id FROM event e
          JOIN webhook w ON w.merchant_id = e.merchant_id AND w.mode = e.mode AND w.deleted_at IS NULL
            AND w.updated_at < e.relayed_at - interval '10 seconds'
          JOIN (VALUES ${expectedEvents}) AS expected (version, type) ON expected.version = w.version AND expected.type = e.type
          LEFT JOIN notification n ON n.event_id = e.id AND n.webhook_id = w.id
          WHERE e.relayed_at >= ${retainedSince('notification')} AND NOT e.test AND n.id IS NULL
            AND (coalesce(cardinality(w.event_types), 0) = 0 OR e.type = ANY (w.event_types))
            AND (e.type NOT IN (${subscriptionEventTypes}) OR e.payload::jsonb ? 'subscriptionId')`,
  },
  {
    name: 'event_payload_identifies_event',
    promise: 'The signed payload of an event contains its id, type and mode',
    // Older events contain no `eventId`.
    sql: `SELECT id FROM event WHERE payload::jsonb ? 'eventId' AND (payload::jsonb ->> 'eventId' <> id
            OR payload::jsonb ->> 'eventType' IS DISTINCT FROM type OR payload::jsonb ->> 'mode' IS DISTINCT FROM mode::text)`,
  },
  {
    name: 'notification_event_type_matches',
    promise: 'A notification has the event type of its event',
    sql: `SELECT n.id FROM notification n JOIN event e ON e.id = n.event_id WHERE n.event_type <> e.type`,
  },
  {
    name: 'notification_attempts_recorded',
    promise: 'Every delivered notification received a 2xx response, and every counted attempt is recorded',
    sql: `SELECT n.id FROM notification n LEFT JOIN notification_attempt a ON a.notification_id = n.id
          GROUP BY n.id HAVING count(a.id) <> n.attempt_count
            OR (n.status = 'delivered' AND bool_or(a.response_status BETWEEN 200 AND 299 AND a.error IS NULL) IS NOT TRUE)`,
  },
  {
    name: 'notification_next_attempt_scheduled',
    promise: 'A notification has a time for its next attempt if and only if it is pending',
    sql: `SELECT id FROM notification WHERE (status = 'pending') <> (next_attempt_at IS NOT NULL)
          OR (status = 'pending') = (finished_at IS NOT NULL)`,
  },
  {
    name: 'notice_position_recorded',
    promise:
      'Notices to users have only considered recorded events, and a chat that receives them has an address',
    sql: `SELECT s.user_id || ' ' || s.channel || ' ' || s.topic FROM notice_setting s JOIN merchant_user u ON u.id = s.user_id
          LEFT JOIN event_counter c ON c.merchant_id = u.merchant_id AND c.mode = 'live'
          WHERE s.event_position > coalesce(c.last, 0)
            OR (s.channel = 'chat' AND s.frequency <> 'off' AND u.chat_url_encrypted IS NULL)`,
  },
];
