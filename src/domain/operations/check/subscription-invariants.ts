import type { Invariant } from './invariant.ts';

export const subscriptionInvariants: readonly Invariant[] = [
  {
    name: 'subscription_paid_by_charges',
    promise:
      'The paid count of a subscription equals its completed charges and externally paid invoices, with a lower first price counted once; charges for less than an invoice need not count, and an ended subscription may have more payments',
    sql: `WITH paid AS (
            SELECT s.id, s.status, s.num_payments_complete AS recorded,
              count(c.id) + (SELECT count(*) FROM invoice i WHERE i.subscription_id = s.id AND i.paid_externally) AS charges,
              count(c.id) FILTER (WHERE c.invoice_id IS NULL AND c.merchant_amount < s.full_price) AS introductory,
              count(c.id) FILTER (WHERE c.invoice_id IS NOT NULL AND is_lower)
                + greatest(count(c.id) FILTER (WHERE c.invoice_id IS NULL AND is_lower) - 1, 0) AS uncounted
            FROM subscription s
            LEFT JOIN charge c ON c.subscription_id = s.id AND c.status = 'completed'
            CROSS JOIN LATERAL (
              SELECT bool_or(i.amount > c.merchant_amount)
                AND bool_or(i.status = 'paid' AND i.charge_id = c.id) IS NOT TRUE AS is_lower
              FROM invoice i WHERE i.subscription_id = s.id) AS invoices
            GROUP BY s.id)
          SELECT id FROM paid, LATERAL (SELECT charges - greatest(introductory - 1, 0) AS counted) AS sums
          WHERE counted < recorded OR (status IN ('active', 'inactive') AND recorded < counted - uncounted)`,
  },
  {
    name: 'checkout_slot_of_unpaid_subscription',
    promise: 'A paid subscription does not count toward the limit of the network that started it',
    sql: `SELECT c.id FROM checkout_slot s JOIN charge c ON c.subscription_id = s.object_id WHERE c.status = 'completed'`,
  },
  {
    name: 'subscription_next_action_scheduled',
    promise: 'A subscription has a next action if and only if it is active or paused until a date',
    sql: `SELECT id FROM subscription WHERE (status = 'active' OR resumes_at IS NOT NULL) <> (due_at IS NOT NULL)`,
  },
  {
    name: 'subscription_next_payment',
    promise:
      'A continuing subscription has a payment due at the end of its paid period; one that has ended or was paused by the merchant has none',
    sql: `SELECT id FROM subscription WHERE next_payment IS DISTINCT FROM
            CASE WHEN status IN ('active', 'inactive') AND paused_at IS NULL THEN active_until END`,
  },
  {
    name: 'merchant_pause_is_inactive',
    promise:
      'A subscription that the merchant paused has started, is inactive and requests no payment; only such a subscription resumes at a date, which is after the pause',
    sql: `SELECT s.id FROM subscription s WHERE (s.resumes_at IS NOT NULL AND (s.resumes_at <= s.paused_at) IS NOT FALSE)
          OR s.paused_at IS NOT NULL AND (s.status <> 'inactive' OR s.active_until IS NULL
            OR EXISTS (SELECT 1 FROM invoice i WHERE i.subscription_id = s.id AND i.status = 'open')
            OR EXISTS (SELECT 1 FROM charge c WHERE c.subscription_id = s.id AND c.status = 'pending'))`,
  },
  {
    name: 'subscription_completed_when_paid',
    promise: 'A subscription is completed if and only if all payments of its plan are paid',
    sql: `SELECT s.id FROM subscription s JOIN subscription_plan p ON p.id = s.plan_id
          WHERE s.status <> 'cancelled' AND (s.status = 'completed') <> coalesce(s.num_payments_complete >= p.num_payments, false)`,
  },
  {
    name: 'ended_subscription_requests_no_payment',
    promise: 'A cancelled subscription has no pending charge, and no ended subscription has an open invoice',
    sql: `SELECT s.id FROM subscription s JOIN charge c ON c.subscription_id = s.id
            WHERE s.status = 'cancelled' AND c.status = 'pending'
          UNION SELECT s.id FROM subscription s JOIN invoice i ON i.subscription_id = s.id
            WHERE s.status IN ('cancelled', 'completed') AND i.status = 'open'`,
  },
  {
    name: 'invoice_paid_by_its_charge',
    promise:
      'A paid invoice refers to a completed charge of its subscription with at least its amount, unless it was paid externally',
    sql: `SELECT i.id FROM invoice i LEFT JOIN charge c ON c.id = i.charge_id
          WHERE i.status = 'paid' AND NOT i.paid_externally AND (c.status IS DISTINCT FROM 'completed'
            OR c.subscription_id <> i.subscription_id OR c.merchant_amount < i.amount)`,
  },
  {
    name: 'external_payment_without_charge',
    promise: 'An invoice that was paid externally is paid and refers to no charge',
    sql: `SELECT id FROM invoice WHERE paid_externally AND (status <> 'paid' OR charge_id IS NOT NULL)`,
  },
  {
    name: 'invoice_tax_and_period',
    promise: 'An invoice with a tax rate contains this tax, rounded half up once, and covers a period',
    sql: `SELECT id FROM invoice WHERE period_end <= period_start OR tax_amount <> coalesce(CASE
            WHEN tax_inclusive THEN round(amount * tax_rate / (100 + tax_rate))
            ELSE round((amount - tax_amount) * tax_rate / 100) END, 0)`,
  },
  {
    name: 'invoice_numbers_without_gaps',
    promise: 'The invoices of a merchant are numbered from 1 with no gaps',
    sql: `SELECT n.merchant_id || ' ' || n.mode FROM invoice_counter n
          LEFT JOIN invoice i ON i.merchant_id = n.merchant_id AND i.mode = n.mode
          GROUP BY n.merchant_id, n.mode, n.last HAVING count(i.id) <> n.last OR coalesce(max(i.number), 0) <> n.last`,
  },
  {
    name: 'subscription_ended_at',
    promise: 'A subscription records when it ended if and only if it has ended',
    sql: `SELECT id FROM subscription WHERE (status IN ('completed', 'cancelled')) <> (ended_at IS NOT NULL)`,
  },
  {
    name: 'subscription_one_payment_request',
    promise:
      'A subscription requests one payment at a time: one open invoice, and for each payment one pending charge that has not expired',
    sql: `SELECT c.subscription_id FROM charge c JOIN charge other ON other.subscription_id = c.subscription_id
            AND other.invoice_id IS NOT DISTINCT FROM c.invoice_id AND other.id <> c.id
            AND other.created_at BETWEEN c.created_at AND c.expires_at
            WHERE c.status = 'pending' AND other.status = 'pending'
          UNION SELECT subscription_id FROM invoice WHERE status = 'open' GROUP BY subscription_id HAVING count(*) > 1`,
  },
];
