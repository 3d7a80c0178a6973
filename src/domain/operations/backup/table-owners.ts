/**
 * How the rows of a table belong to a merchant: by a column with the merchant's ID, or by a column with the `id` of a
 * row of the parent table. `installation` rows belong to no merchant, and `derived` rows are recomputed by triggers.
 */
export type TableOwner =
  | { merchantColumn: string; omittedColumns?: readonly string[] }
  | { parentTable: string; parentColumn: string }
  | 'installation'
  | 'derived';

const byMerchant = { merchantColumn: 'merchant_id' } as const;
const byUser = { parentTable: 'merchant_user', parentColumn: 'user_id' } as const;

/** The columns of the move itself, which differ between two installations. */
const moveColumns = ['move_status', 'moved_to', 'move_code_hash', 'move_code_encrypted'] as const;

/** The owners of the rows of every table. A move copies all rows that belong to the merchant. */
export const tableOwners: Readonly<Record<string, TableOwner>> = {
  alert: byMerchant,
  allocation: byMerchant,
  api_key: byMerchant,
  audit_entry: byMerchant,
  authentication_attempt: 'installation',
  bank_feed: byMerchant,
  bank_feed_account: { parentTable: 'bank_feed', parentColumn: 'feed_id' },
  certificate: byMerchant,
  charge: byMerchant,
  charge_count: 'derived',
  charge_count_delta: 'derived',
  checkout_link: byMerchant,
  checkout_session: byMerchant,
  checkout_slot: byMerchant,
  customer: byMerchant,
  data_key: 'installation',
  email_change: byUser,
  event: byMerchant,
  event_counter: byMerchant,
  export: byMerchant,
  export_chunk: { parentTable: 'export', parentColumn: 'export_id' },
  feed_delivery: byMerchant,
  forex_rate: 'installation',
  idempotency_key: byMerchant,
  imported_signing_key: byMerchant,
  invoice: byMerchant,
  invoice_counter: byMerchant,
  merchant: { merchantColumn: 'id', omittedColumns: moveColumns },
  merchant_logo: byMerchant,
  merchant_user: byMerchant,
  message: byMerchant,
  notice_setting: byUser,
  notification: byMerchant,
  notification_attempt: { parentTable: 'notification', parentColumn: 'notification_id' },
  password_reset: byUser,
  password_reset_request: 'installation',
  // Its ID is a sequence number of this database.
  phone_verification: { ...byMerchant, omittedColumns: ['id'] },
  receiving_account: byMerchant,
  recovery_code: byUser,
  refund: byMerchant,
  refund_payout: byMerchant,
  retention_watermark: 'installation',
  search_entry: 'derived',
  statement: byMerchant,
  statement_mapping: { parentTable: 'receiving_account', parentColumn: 'receiving_account_id' },
  subscription: byMerchant,
  subscription_link: byMerchant,
  subscription_plan: byMerchant,
  transfer: byMerchant,
  upload: byMerchant,
  upload_chunk: { parentTable: 'upload', parentColumn: 'upload_id' },
  user_invitation: byMerchant,
  user_session: byUser,
  webhook: byMerchant,
};
