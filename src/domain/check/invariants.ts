import { chargeInvariants } from './charge-invariants.ts';
import { notificationInvariants } from './notification-invariants.ts';
import { payoutInvariants } from './payout-invariants.ts';
import { statementInvariants } from './statement-invariants.ts';
import { subscriptionInvariants } from './subscription-invariants.ts';

/** Each statement selects what breaks a promise; the first column names the row. No rows: the promise holds. */
export const invariants: readonly { name: string; promise: string; sql: string }[] = [
  {
    name: 'charge_received',
    promise: 'What a charge has received is the sum of its allocations',
    sql: `SELECT c.id FROM charge c LEFT JOIN allocation a ON a.charge_id = c.id
          GROUP BY c.id HAVING c.amount_received <> coalesce(sum(a.amount), 0)`,
  },
  {
    name: 'transfer_allocated',
    promise: 'What of a transfer counts is the sum of its allocations',
    sql: `SELECT t.id FROM transfer t LEFT JOIN allocation a ON a.transfer_id = t.id
          GROUP BY t.id HAVING t.allocated <> coalesce(sum(a.amount), 0)`,
  },
  {
    name: 'transfer_counted_once',
    promise:
      'Money that came counts whole or is an exception; a duplicate and what went out count for nothing',
    sql: `SELECT id FROM transfer WHERE CASE
            WHEN direction = 'debit' OR status = 'duplicate' THEN allocated <> 0
            WHEN status = 'exception' THEN allocated = amount AND reason IS DISTINCT FROM 'reversed'
            ELSE allocated <> amount END`,
  },
  {
    name: 'account_balances',
    promise:
      'The money of each account is that of its charges, what was sent back, and the exceptions, per currency',
    sql: `SELECT receiving_account_id FROM (
            SELECT t.receiving_account_id, t.currency, t.amount,
              CASE WHEN t.status = 'exception' THEN t.amount - t.allocated ELSE 0 END AS open,
              coalesce((SELECT sum(a.amount) FROM allocation a WHERE a.transfer_id = t.id), 0) AS counted
            FROM transfer t WHERE t.direction = 'credit' AND t.status <> 'duplicate') t
          GROUP BY receiving_account_id, currency HAVING sum(amount) <> sum(open) + sum(counted)`,
  },
  {
    name: 'transfer_paired_once',
    promise: 'A transfer has one twin of each other source and kind of file at most',
    sql: `SELECT t.same_as_id FROM transfer t LEFT JOIN statement s ON s.id = t.statement_id WHERE t.same_as_id IS NOT NULL
          GROUP BY t.same_as_id, t.source, t.file_kind, s.mapping_hash HAVING count(*) > 1`,
  },
  {
    name: 'charge_paid_enough',
    promise:
      'A charge completed by transfers has received what was asked, less the most that may be tolerated, unless a person took less or money was taken back',
    sql: `SELECT id FROM charge WHERE status = 'completed' AND completed_by = 'transfer'
          AND amount_received < customer_amount - customer_amount * 0.02
          AND NOT EXISTS (SELECT 1 FROM allocation a WHERE a.charge_id = charge.id
            AND a.reason IN ('shortfall_accepted', 'reversed', 'unassigned'))`,
  },
  {
    name: 'open_charge_unpaid',
    promise: 'A charge that ended unpaid holds no money, but what a person assigned to it',
    sql: `SELECT id FROM charge WHERE status IN ('expired', 'cancelled') AND amount_received <> 0
          AND NOT EXISTS (SELECT 1 FROM allocation a WHERE a.charge_id = charge.id AND a.reason = 'assigned')`,
  },
  {
    name: 'session_charged_once',
    promise: 'A session is charged exactly when it has a charge',
    sql: `SELECT s.id FROM checkout_session s LEFT JOIN charge c ON c.session_id = s.id
          WHERE (s.status = 'charged') <> (c.id IS NOT NULL)`,
  },
  {
    name: 'refund_within_charge',
    promise:
      'The refunds of a charge are no more than what was received (by hand: asked), before the bank took any back',
    sql: `SELECT c.id FROM charge c JOIN refund r ON r.charge_id = c.id AND r.status <> 'cancelled'
          WHERE NOT EXISTS (SELECT 1 FROM allocation a WHERE a.charge_id = c.id AND a.reason = 'reversed')
          GROUP BY c.id HAVING sum(r.customer_amount) >
            CASE WHEN c.completed_by = 'transfer' THEN c.amount_received ELSE c.customer_amount END`,
  },
  {
    name: 'charge_has_its_events',
    promise: 'Every charge has the event of its creation and of its present status',
    sql: `SELECT c.id FROM charge c
          WHERE c.created_at >= coalesce((SELECT pruned_to FROM prune_mark WHERE name = 'event'), '-infinity')
          AND (NOT EXISTS (SELECT 1 FROM event e WHERE e.object_id = c.id AND e.message = 'charge_created')
          OR (c.status <> 'pending' AND NOT EXISTS (
            SELECT 1 FROM event e WHERE e.object_id = c.id AND e.message = CASE c.status
              WHEN 'completed' THEN 'CHARGE_COMPLETE' WHEN 'expired' THEN 'charge_expired' ELSE 'charge_cancelled' END)))`,
  },
  {
    name: 'refund_has_its_events',
    promise: 'Every refund has the event of its making and of its present status, each version once',
    sql: `SELECT r.id FROM refund r LEFT JOIN event e ON e.object_id = r.id
          WHERE r.created_at > now() - interval '390 days'
          GROUP BY r.id HAVING count(e.id) <> r.version OR bool_or(e.message = 'refund_' || r.status) IS NOT TRUE`,
  },
  {
    name: 'refund_tells_where_to',
    promise: 'A refund that is being paid has the details of where to',
    sql: `SELECT id FROM refund WHERE status = 'processing' AND details_sealed IS NULL`,
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
  ...chargeInvariants,
  ...notificationInvariants,
  ...payoutInvariants,
  ...statementInvariants,
  ...subscriptionInvariants,
];
