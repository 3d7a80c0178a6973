import type { Invariant } from './invariant.ts';

/** Foreign keys as table, column and referenced table. */
const references = [
  ['charge', 'customer_id', 'customer'],
  ['charge', 'receiving_account_id', 'receiving_account'],
  ['charge', 'session_id', 'checkout_session'],
  ['charge', 'checkout_link_id', 'checkout_link'],
  ['charge', 'subscription_id', 'subscription'],
  ['charge', 'invoice_id', 'invoice'],
  ['charge', 'replaces_id', 'charge'],
  ['refund', 'charge_id', 'charge'],
  ['refund', 'receiving_account_id', 'receiving_account'],
  ['refund_payout', 'refund_id', 'refund'],
  ['refund_payout', 'receiving_account_id', 'receiving_account'],
  ['transfer', 'receiving_account_id', 'receiving_account'],
  ['transfer', 'duplicate_of_id', 'transfer'],
  ['transfer', 'reversal_of_id', 'transfer'],
  ['transfer', 'statement_id', 'statement'],
  ['allocation', 'transfer_id', 'transfer'],
  ['allocation', 'charge_id', 'charge'],
  ['allocation', 'refund_id', 'refund'],
  ['statement', 'receiving_account_id', 'receiving_account'],
  ['feed_delivery', 'feed_id', 'bank_feed'],
  ['alert', 'bank_feed_id', 'bank_feed'],
  ['subscription', 'plan_id', 'subscription_plan'],
  ['subscription', 'link_id', 'subscription_link'],
  ['subscription', 'customer_id', 'customer'],
  ['invoice', 'subscription_id', 'subscription'],
  ['invoice', 'charge_id', 'charge'],
  ['invoice', 'replaced_by_id', 'invoice'],
  ['notification', 'event_id', 'event'],
  ['notification', 'webhook_id', 'webhook'],
  ['phone_verification', 'charge_id', 'charge'],
] as const;

/** The reasons of allocations that users decide, as an SQL list. */
const decisionReasons = `'assigned', 'shortfall_accepted', 'returned', 'dismissed', 'unassigned'`;

export const ownerInvariants: readonly Invariant[] = [
  {
    name: 'one_merchant_and_mode',
    promise: 'Related objects belong to one merchant and one mode',
    sql: references
      .map(
        ([
          table,
          column,
          other,
        ]) => `SELECT '${table} ' || a.id FROM ${table} a JOIN ${other} b ON b.id = a.${column}
          WHERE a.merchant_id <> b.merchant_id OR a.mode <> b.mode`,
      )
      .join(' UNION ALL '),
  },
  {
    name: 'decision_in_audit_trail',
    promise: 'Every decision about incoming money is recorded in the audit trail with its actor',
    // A duplicate that replaces an undone transfer has copies of its allocations.
    sql: `SELECT a.id FROM allocation a WHERE a.reason IN (${decisionReasons}) AND NOT EXISTS (
            SELECT 1 FROM allocation decided JOIN transfer t ON t.id = decided.transfer_id
              JOIN audit_entry u ON u.merchant_id = decided.merchant_id AND u.actor = decided.actor
                AND u.object_id = CASE decided.amount WHEN 0 THEN decided.charge_id ELSE decided.transfer_id END
                AND u.action = CASE WHEN decided.amount = 0 THEN 'charge.shortfall_accepted'
                  WHEN decided.reason = 'returned' THEN 'transfer.returned'
                  WHEN decided.reason = 'dismissed' THEN 'transfer.dismissed'
                  WHEN decided.reason = 'unassigned' THEN 'transfer.unassigned' ELSE 'transfer.assigned' END
            WHERE decided.reason IN (${decisionReasons}) AND decided.merchant_id = a.merchant_id AND decided.created_at = a.created_at
              AND decided.actor = a.actor AND decided.reason = a.reason AND decided.amount = a.amount
              AND decided.charge_id IS NOT DISTINCT FROM a.charge_id
              AND (decided.transfer_id = a.transfer_id OR t.undone_at IS NOT NULL))
          UNION SELECT s.id FROM statement s WHERE s.status IN ('undoing', 'undone') AND NOT EXISTS (
            SELECT 1 FROM audit_entry u WHERE u.merchant_id = s.merchant_id AND u.object_id = s.id
              AND u.actor = s.undone_by AND u.action = 'statement.undone')`,
  },
  {
    name: 'configuration_in_audit_trail',
    promise: 'Every visible change of a merchant’s configuration is recorded in the audit trail',
    sql: `SELECT subject.id FROM (
            SELECT id, id AS merchant_id, ARRAY['merchant.created'] AS actions FROM merchant
            UNION ALL SELECT id, merchant_id, ARRAY['webhook.created'] FROM webhook
            UNION ALL SELECT id, merchant_id, ARRAY['webhook.deleted'] FROM webhook WHERE deleted_at IS NOT NULL
            UNION ALL SELECT id, merchant_id, ARRAY['bank_feed.created'] FROM bank_feed
            UNION ALL SELECT id, merchant_id, ARRAY['bank_feed.deleted'] FROM bank_feed WHERE deleted_at IS NOT NULL
            UNION ALL SELECT id, merchant_id, ARRAY['api_key.revoked'] FROM api_key WHERE revoked_at IS NOT NULL
            UNION ALL SELECT id, merchant_id, ARRAY['api_key.rotated'] FROM api_key WHERE replaced_by_id IS NOT NULL
            UNION ALL SELECT id, merchant_id, ARRAY['certificate.revoked'] FROM certificate WHERE revoked_at IS NOT NULL
            UNION ALL SELECT id, merchant_id, ARRAY['receiving_account.updated'] FROM receiving_account WHERE status = 'retired'
            UNION ALL SELECT id, id, ARRAY['merchant.disabled'] FROM merchant WHERE disabled_at IS NOT NULL
            UNION ALL SELECT id, id, ARRAY['merchant.paused', 'merchant.imported'] FROM merchant WHERE move_status IS NOT NULL
            UNION ALL SELECT id, id, ARRAY['merchant.moved'] FROM merchant WHERE move_status = 'moved'
            UNION ALL SELECT id, merchant_id, ARRAY['user.removed'] FROM merchant_user
              WHERE removed_at IS NOT NULL AND merchant_id IS NOT NULL) subject
          WHERE NOT EXISTS (SELECT 1 FROM audit_entry u
            WHERE u.merchant_id = subject.merchant_id AND u.object_id = subject.id AND u.action = ANY (subject.actions))`,
  },
  {
    name: 'audit_trail_append_only',
    promise: 'The database prevents changes to and deletion of audit trail entries and allocations',
    sql: `SELECT required.name FROM (VALUES ('audit_entry_append_only'), ('allocation_append_only')) AS required (name)
          WHERE NOT EXISTS (SELECT 1 FROM pg_trigger t WHERE t.tgname = required.name AND t.tgenabled <> 'D')`,
  },
];
