/** Each statement selects what breaks a promise; the first column names the row. No rows: the promise holds. */
export const invariants: readonly { name: string; promise: string; sql: string }[] = [
  {
    name: 'charge_received',
    promise: 'What a charge has received is the sum of its allocations',
    sql: `SELECT c.id FROM charge c LEFT JOIN allocation a ON a.charge_id = c.id
          GROUP BY c.id HAVING c.amount_received <> coalesce(sum(a.amount), 0)`,
  },
  {
    name: 'transfer_counted_once',
    promise: 'A matched transfer counts for exactly its amount, an exception or duplicate for nothing',
    sql: `SELECT t.id FROM transfer t LEFT JOIN allocation a ON a.transfer_id = t.id
          GROUP BY t.id HAVING coalesce(sum(a.amount), 0) <>
            CASE WHEN t.status IN ('matched', 'partial', 'over') THEN t.amount ELSE 0 END`,
  },
  {
    name: 'transfer_paired_once',
    promise: 'A transfer has one twin of each other source at most',
    sql: 'SELECT same_as_id FROM transfer WHERE same_as_id IS NOT NULL GROUP BY same_as_id, source HAVING count(*) > 1',
  },
  {
    name: 'charge_paid_enough',
    promise:
      'A charge completed by transfers has received what was asked, less the most that may be tolerated',
    sql: `SELECT id FROM charge WHERE status = 'completed' AND completed_by = 'transfer'
          AND amount_received < customer_amount - customer_amount * 0.02`,
  },
  {
    name: 'open_charge_unpaid',
    promise: 'A charge that ended unpaid holds no money',
    sql: `SELECT id FROM charge WHERE status IN ('expired', 'cancelled') AND amount_received <> 0`,
  },
  {
    name: 'session_charged_once',
    promise: 'A session is charged exactly when it has a charge',
    sql: `SELECT s.id FROM checkout_session s LEFT JOIN charge c ON c.session_id = s.id
          WHERE (s.status = 'charged') <> (c.id IS NOT NULL)`,
  },
  {
    name: 'refund_within_charge',
    promise: 'The refunds of a charge are no more than what was received (by hand: asked)',
    sql: `SELECT c.id FROM charge c JOIN refund r ON r.charge_id = c.id AND r.status <> 'cancelled'
          GROUP BY c.id HAVING sum(r.customer_amount) >
            CASE WHEN c.completed_by = 'transfer' THEN c.amount_received ELSE c.customer_amount END`,
  },
  {
    name: 'charge_has_its_events',
    promise: 'Every charge has the event of its creation and of its present status',
    sql: `SELECT c.id FROM charge c WHERE NOT EXISTS (
            SELECT 1 FROM event e WHERE e.object_id = c.id AND e.message = 'charge_created')
          OR (c.status <> 'pending' AND NOT EXISTS (
            SELECT 1 FROM event e WHERE e.object_id = c.id AND e.message = CASE c.status
              WHEN 'completed' THEN 'CHARGE_COMPLETE' WHEN 'expired' THEN 'charge_expired' ELSE 'charge_cancelled' END))`,
  },
  {
    name: 'charge_completes_once',
    promise: 'A charge completes once',
    sql: `SELECT object_id FROM event WHERE message = 'CHARGE_COMPLETE' GROUP BY object_id HAVING count(*) > 1`,
  },
  {
    name: 'event_versions_differ',
    promise: 'Each event of an object has a version of its own',
    sql: 'SELECT object_id FROM event GROUP BY object_id, object_version HAVING count(*) > 1',
  },
  {
    name: 'event_numbers_without_gaps',
    promise: 'The event log of a merchant has no gaps',
    sql: `SELECT n.merchant_id || ' ' || n.mode FROM event_counter n
          LEFT JOIN event e ON e.merchant_id = n.merchant_id AND e.mode = n.mode AND e.sequence IS NOT NULL
          GROUP BY n.merchant_id, n.mode, n.last HAVING count(e.id) <> n.last OR coalesce(max(e.sequence), 0) <> n.last`,
  },
  {
    name: 'callback_recorded',
    promise: 'Every relayed event that asks for a callback has one',
    sql: `SELECT e.id FROM event e LEFT JOIN notification n ON n.event_id = e.id AND n.kind = 'callback'
          WHERE e.relayed_at IS NOT NULL AND e.callback_url IS NOT NULL AND n.id IS NULL`,
  },
];
