import type { Invariant } from './invariant.ts';

export const moneyInvariants: readonly Invariant[] = [
  {
    name: 'charge_received',
    promise: 'The amount received by a charge is the sum of its allocations',
    sql: `SELECT c.id FROM charge c LEFT JOIN allocation a ON a.charge_id = c.id
          GROUP BY c.id HAVING c.amount_received <> coalesce(sum(a.amount), 0)`,
  },
  {
    name: 'charge_fee',
    promise:
      'The fee of a charge is the sum of the fees of its allocations, and never more than half of its amount',
    sql: `SELECT c.id FROM charge c LEFT JOIN allocation a ON a.charge_id = c.id AND a.fee_amount <> 0
          GROUP BY c.id HAVING c.fee_amount <> coalesce(sum(a.fee_amount), 0)
            OR c.fee_amount NOT BETWEEN 0 AND c.customer_amount / 2`,
  },
  {
    name: 'transfer_allocated',
    promise: 'The allocated amount of a transfer is the sum of its allocations',
    sql: `SELECT t.id FROM transfer t LEFT JOIN allocation a ON a.transfer_id = t.id
          GROUP BY t.id HAVING t.allocated <> coalesce(sum(a.amount), 0)`,
  },
  {
    name: 'transfer_fully_allocated',
    promise:
      'An incoming transfer is fully allocated or an exception; duplicates, outgoing and undone transfers are never allocated',
    sql: `SELECT id FROM transfer WHERE CASE
            WHEN direction = 'debit' OR status = 'duplicate' OR undone_at IS NOT NULL THEN allocated <> 0
            WHEN status = 'exception' THEN allocated = amount AND reason IS DISTINCT FROM 'reversed'
            ELSE allocated <> amount END`,
  },
  {
    name: 'reversed_credit_returned',
    promise: 'A credit that the bank reversed is applied to no charge and no refund, and is not dismissed',
    sql: `SELECT t.id FROM transfer r JOIN transfer t ON t.id = r.reversal_of_id
            LEFT JOIN allocation a ON a.transfer_id = t.id AND a.charge_id IS NULL AND a.refund_id IS NULL
          GROUP BY t.id HAVING coalesce(sum(a.amount), 0) <> t.amount OR t.status = 'dismissed'`,
  },
  {
    name: 'reversed_money_has_reversal',
    promise: 'Money is recorded as reversed only if a transfer reverses it',
    sql: `SELECT t.id FROM allocation a JOIN transfer t ON t.id = a.transfer_id
          WHERE a.reason IN ('reversed', 'reversal_undone') AND a.charge_id IS NULL AND a.refund_id IS NULL
            AND t.undone_at IS NULL AND NOT EXISTS (SELECT 1 FROM transfer r WHERE r.reversal_of_id = t.id)
          GROUP BY t.id HAVING sum(a.amount) <> 0`,
  },
  {
    name: 'account_balances',
    promise:
      'The money received on each account equals its charges, returned money and exceptions, per currency',
    sql: `SELECT receiving_account_id FROM (
            SELECT t.receiving_account_id, t.currency, t.amount,
              CASE WHEN t.status = 'exception' THEN t.amount - t.allocated ELSE 0 END AS open,
              coalesce((SELECT sum(a.amount) FROM allocation a WHERE a.transfer_id = t.id), 0) AS allocated
            FROM transfer t WHERE t.direction = 'credit' AND t.status <> 'duplicate' AND t.undone_at IS NULL) t
          GROUP BY receiving_account_id, currency HAVING sum(amount) <> sum(open) + sum(allocated)`,
  },
  {
    name: 'duplicate_unique_per_source',
    promise:
      'A transfer has at most one duplicate from each source and file type, or from each file if the bank gives no reference',
    sql: `SELECT t.duplicate_of_id FROM transfer t LEFT JOIN statement s ON s.id = t.statement_id
          WHERE t.duplicate_of_id IS NOT NULL AND t.undone_at IS NULL
          GROUP BY t.duplicate_of_id, t.source, t.file_kind, s.mapping_hash,
            CASE WHEN t.bank_reference LIKE 'line:%' THEN t.statement_id END HAVING count(*) > 1`,
  },
  {
    name: 'completed_charge_paid',
    promise:
      'A charge completed by transfers has received its amount, less the maximum tolerance, unless a user accepted a shortfall, or money was reversed or undone',
    sql: `SELECT id FROM charge WHERE status = 'completed' AND completed_by = 'transfer'
          AND amount_received + fee_amount < customer_amount - customer_amount * 0.02
          AND NOT EXISTS (SELECT 1 FROM allocation a WHERE a.charge_id = charge.id
            AND a.reason IN ('shortfall_accepted', 'reversed', 'unassigned', 'statement_undone'))`,
  },
  {
    name: 'paid_charge_completed',
    promise: 'A charge that has received its amount is completed',
    sql: `SELECT id FROM charge WHERE status <> 'completed' AND amount_received + fee_amount >= customer_amount`,
  },
  {
    name: 'ended_charge_unpaid',
    promise: 'A charge that ended unpaid has no money, except what a user assigned to it',
    sql: `SELECT id FROM charge WHERE status IN ('expired', 'cancelled') AND amount_received <> 0
          AND NOT EXISTS (SELECT 1 FROM allocation a WHERE a.charge_id = charge.id AND a.reason = 'assigned')`,
  },
  {
    name: 'refund_within_charge',
    promise:
      'The refunds of a charge do not exceed the amount received (if completed manually: its amount), before any reversal by the bank and any undone statement',
    sql: `SELECT c.id FROM charge c JOIN refund r ON r.charge_id = c.id AND r.status <> 'cancelled'
          WHERE NOT EXISTS (SELECT 1 FROM allocation a WHERE a.charge_id = c.id AND a.reason IN ('reversed', 'statement_undone'))
          GROUP BY c.id HAVING sum(r.customer_amount) >
            CASE WHEN c.completed_by = 'transfer' THEN c.amount_received ELSE c.customer_amount END`,
  },
  {
    name: 'open_refund_covered',
    promise:
      'A refund that was never paid or in a payout file is cancelled if a reversal or an undone statement leaves it uncovered',
    sql: `SELECT r.id FROM refund r JOIN charge c ON c.id = r.charge_id
          WHERE r.status IN ('initiated', 'processing') AND r.payout_exported_at IS NULL
            AND r.previous_payout_references = '{}' AND r.completion_undone_at IS NULL
            AND c.completed_by = 'transfer' AND c.amount_received <
              (SELECT sum(o.customer_amount) FROM refund o WHERE o.charge_id = c.id AND o.status <> 'cancelled')`,
  },
  {
    name: 'refund_payout_details_present',
    promise: 'A refund that is being paid has payout details',
    sql: `SELECT id FROM refund WHERE status = 'processing' AND details_encrypted IS NULL`,
  },
  {
    name: 'cancelled_refund_not_payable',
    promise: 'A cancelled refund has no payout details and is in no payout file',
    sql: `SELECT id FROM refund WHERE status = 'cancelled'
          AND (details_encrypted IS NOT NULL OR payout_exported_at IS NOT NULL)`,
  },
  {
    name: 'refund_of_completed_charge',
    promise: 'Only completed charges have refunds',
    sql: `SELECT r.id FROM refund r JOIN charge c ON c.id = r.charge_id WHERE c.status <> 'completed'`,
  },
  {
    name: 'refund_account',
    promise: 'The receiving account of a refund is that of its charge',
    sql: `SELECT r.id FROM refund r JOIN charge c ON c.id = r.charge_id WHERE r.receiving_account_id <> c.receiving_account_id`,
  },
  {
    name: 'money_in_one_currency',
    promise:
      'The allocations and refunds of a charge are in its currency, which is the currency of its account',
    sql: `SELECT c.id FROM charge c JOIN receiving_account a ON a.id = c.receiving_account_id WHERE a.currency <> c.customer_currency
          UNION ALL SELECT r.id FROM refund r JOIN charge c ON c.id = r.charge_id WHERE r.customer_currency <> c.customer_currency
          UNION ALL SELECT a.id FROM allocation a JOIN transfer t ON t.id = a.transfer_id JOIN charge c ON c.id = a.charge_id
            WHERE t.currency <> c.customer_currency`,
  },
  {
    name: 'bank_account_shared',
    promise:
      'Receiving accounts that are one bank account belong to one merchant and mode, and have one currency and the same settings of reports',
    sql: `SELECT a.id FROM receiving_account a LEFT JOIN receiving_account oldest ON oldest.id = a.shared_bank_account_id
            AND oldest.shared_bank_account_id IS NULL AND oldest.merchant_id = a.merchant_id AND oldest.mode = a.mode
            AND oldest.currency = a.currency AND oldest.time_zone = a.time_zone
            AND oldest.reuses_bank_references = a.reuses_bank_references
          WHERE a.shared_bank_account_id IS NOT NULL AND oldest.id IS NULL`,
  },
];
