import { type Invariant, retainedSince } from './invariant.ts';

/** Event types that occur at most once per object. */
const oneTimeEvents = `'charge_created', 'CHARGE_COMPLETE', 'charge_completed', 'charge_cancelled', 'session_created',
  'session_initiated', 'session_charged', 'session_expired', 'session_cancelled', 'refund_cancelled', 'subscription_created',
  'subscription_cancelled', 'subscription_completed'`;

export const eventInvariants: readonly Invariant[] = [
  {
    name: 'charge_has_its_events',
    promise: 'Every charge has an event for its creation and for its current status, one per version',
    sql: `SELECT c.id FROM charge c LEFT JOIN event e ON e.object_id = c.id
          WHERE c.created_at >= ${retainedSince('event')}
          GROUP BY c.id HAVING count(e.id) <> c.version OR bool_or(e.type = 'charge_created') IS NOT TRUE
            OR (c.status <> 'pending' AND bool_or(e.type = CASE c.status WHEN 'completed' THEN 'CHARGE_COMPLETE'
              WHEN 'expired' THEN 'charge_expired' ELSE 'charge_cancelled' END) IS NOT TRUE)
            OR (c.status <> 'completed' AND bool_or(e.type = 'CHARGE_COMPLETE'))`,
  },
  {
    name: 'session_has_its_events',
    promise: 'Every session has an event for its creation and for its current status, one per version',
    sql: `SELECT s.id FROM checkout_session s LEFT JOIN event e ON e.object_id = s.id
          WHERE s.created_at >= ${retainedSince('event')}
          GROUP BY s.id HAVING count(e.id) <> s.version OR bool_or(e.type = 'session_created') IS NOT TRUE
            OR bool_or(e.type = 'session_' || s.status) IS NOT TRUE`,
  },
  {
    name: 'refund_has_its_events',
    promise: 'Every refund has an event for its creation and for its current status, one per version',
    sql: `SELECT r.id FROM refund r LEFT JOIN event e ON e.object_id = r.id
          WHERE r.created_at >= ${retainedSince('event')}
          GROUP BY r.id HAVING count(e.id) <> r.version OR bool_or(e.type = 'refund_initiated') IS NOT TRUE
            OR bool_or(e.type = 'refund_' || r.status) IS NOT TRUE`,
  },
  {
    name: 'subscription_has_its_events',
    promise:
      'The last event of every subscription matches its current status, and each counted payment has an event',
    sql: `SELECT s.id FROM subscription s LEFT JOIN event e ON e.object_id = s.id
          WHERE s.created_at >= ${retainedSince('event')}
          GROUP BY s.id HAVING count(e.id) > s.version OR bool_or(e.type = 'subscription_created') IS NOT TRUE
            OR count(*) FILTER (WHERE e.type = 'subscription_paid')
              NOT BETWEEN s.num_payments_complete AND s.num_payments_complete + 1
            OR (array_agg(e.type ORDER BY e.object_version DESC) FILTER (WHERE e.type <> 'subscription_updated'))[1]
              <> ALL (CASE
                WHEN s.status = 'active' THEN ARRAY['subscription_paid', 'subscription_resumed']
                WHEN s.status = 'inactive' AND s.active_until IS NULL THEN ARRAY['subscription_created']
                WHEN s.status = 'inactive' THEN ARRAY['subscription_paused'] ELSE ARRAY['subscription_' || s.status] END)`,
  },
  {
    name: 'invoice_has_its_event',
    promise: 'An invoice has a due event if and only if its payment was requested',
    sql: `SELECT i.id FROM invoice i LEFT JOIN event e ON e.object_id = i.id
          WHERE i.created_at >= ${retainedSince('event')}
          GROUP BY i.id HAVING count(e.id) <> CASE WHEN i.due_notified_at IS NULL THEN 0 ELSE 1 END
            OR bool_and(e.type = 'subscription_invoice_due') IS FALSE`,
  },
  {
    name: 'transfer_has_its_event',
    promise: 'Every exception has an event',
    sql: `SELECT t.id FROM transfer t WHERE t.status = 'exception' AND t.created_at >= ${retainedSince('event')}
          AND NOT EXISTS (SELECT 1 FROM event e WHERE e.object_id = t.id AND e.type = 'transfer_exception')`,
  },
  {
    name: 'one_time_event_unique',
    promise: 'An event type that occurs at most once per object has one event for it',
    sql: `SELECT object_id FROM event WHERE type IN (${oneTimeEvents}) GROUP BY object_id, type HAVING count(*) > 1`,
  },
  {
    name: 'event_versions_unique',
    promise: 'Each event of an object has a unique version',
    sql: 'SELECT object_id FROM event GROUP BY object_id, object_version HAVING count(*) > 1',
  },
  {
    name: 'event_log_in_order',
    promise: 'The event log lists the events of an object in the order of its versions',
    sql: `SELECT id FROM (SELECT id, object_version,
            lag(object_version) OVER (PARTITION BY object_id ORDER BY sequence) AS before
          FROM event WHERE sequence IS NOT NULL) e WHERE object_version < before`,
  },
  {
    name: 'relayed_event_has_sequence',
    promise: 'An event has a number in the log if and only if it has been relayed',
    sql: 'SELECT id FROM event WHERE NOT test AND (relayed_at IS NULL) <> (sequence IS NULL)',
  },
];
