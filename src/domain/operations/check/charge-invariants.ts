import type { Invariant } from './invariant.ts';

const bucketsSql = (day: string) =>
  `LATERAL (VALUES ('all'::charge_count_grain, date '1970-01-01'), ('month', date_trunc('month', ${day})::date), ('day', ${day}))
     AS bucket(grain, start)`;

export const chargeInvariants: readonly Invariant[] = [
  {
    name: 'charge_counts',
    promise:
      'The charge counts of each day and month, with their pending deltas, equal the number of charges',
    sql: `WITH changes AS (
            SELECT d.merchant_id, d.mode, d.day, change.status, d.method, d.customer_currency, change.delta
            FROM charge_count_delta d, LATERAL (VALUES (d.to_status, 1), (d.from_status, -1)) AS change(status, delta)
            WHERE change.status IS NOT NULL
            UNION ALL
            SELECT merchant_id, mode, (created_at AT TIME ZONE 'UTC')::date, status, method, customer_currency, -count(*)
            FROM charge GROUP BY 1, 2, 3, 4, 5, 6
          )
          SELECT merchant_id, mode, grain, start, status, method, customer_currency FROM (
            SELECT merchant_id, mode, grain, start, status, method, customer_currency, count FROM charge_count
            UNION ALL
            SELECT merchant_id, mode, bucket.grain, bucket.start, status, method, customer_currency, delta
            FROM changes, ${bucketsSql('day')}
          ) counts GROUP BY 1, 2, 3, 4, 5, 6, 7 HAVING sum(count) <> 0`,
  },
  {
    name: 'session_charged_once',
    promise:
      'A session has the status charged if and only if it has a charge, unless it was cancelled and has no open charge',
    sql: `SELECT DISTINCT s.id FROM checkout_session s LEFT JOIN charge c ON c.session_id = s.id
          WHERE (s.status = 'charged') <> (c.id IS NOT NULL) AND (s.status <> 'cancelled' OR c.status = 'pending')`,
  },
  {
    name: 'session_has_one_open_charge',
    promise:
      'A session has at most one open charge, and all charges of a session except the first replace another',
    sql: `SELECT session_id FROM charge WHERE session_id IS NOT NULL GROUP BY session_id
          HAVING count(*) FILTER (WHERE status = 'pending') > 1 OR count(*) FILTER (WHERE replaces_id IS NULL) > 1`,
  },
  {
    name: 'replaced_charge_ended',
    promise: 'A charge replaces one of the same payment, which is not open',
    sql: `SELECT c.id FROM charge c LEFT JOIN charge r ON r.id = c.replaces_id
          WHERE c.replaces_id IS NOT NULL AND (r.id IS NULL OR r.status = 'pending'
            OR r.session_id IS DISTINCT FROM c.session_id OR r.checkout_link_id IS DISTINCT FROM c.checkout_link_id
            OR r.customer_id <> c.customer_id)`,
  },
  {
    name: 'open_payment_reference_unique',
    promise: 'A payment reference belongs to at most one open charge of its account',
    sql: `SELECT min(id) FROM charge WHERE status = 'pending' GROUP BY receiving_account_id, payment_reference HAVING count(*) > 1`,
  },
  {
    name: 'charge_completion_recorded',
    promise: 'A charge records when and how it was completed if and only if it is completed',
    sql: `SELECT id FROM charge WHERE (status = 'completed') <> (completed_at IS NOT NULL)
          OR (status = 'completed') <> (completed_by IS NOT NULL)`,
  },
  {
    name: 'checkout_link_uses',
    promise: 'The counts of a checkout link equal its open and paid charges, and its paid charges',
    sql: `SELECT l.id FROM checkout_link l
          LEFT JOIN charge c ON c.checkout_link_id = l.id AND c.status IN ('pending', 'completed')
          GROUP BY l.id HAVING count(c.id) <> l.uses OR count(c.id) FILTER (WHERE c.status = 'completed') <> l.paid`,
  },
  {
    name: 'checkout_slot_of_unpaid_charge',
    promise: 'A paid charge does not count toward the limit of the network that started it',
    sql: `SELECT c.id FROM checkout_slot s JOIN charge c ON c.id = s.object_id WHERE c.status = 'completed'`,
  },
  {
    name: 'used_phone_code_has_charge',
    promise: 'A used phone verification refers to its charge',
    sql: `SELECT v.id FROM phone_verification v LEFT JOIN charge c ON c.id = v.charge_id
          WHERE v.status = 'used' AND c.id IS NULL`,
  },
];
