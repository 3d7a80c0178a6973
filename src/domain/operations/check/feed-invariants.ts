import type { Invariant } from './invariant.ts';

export const feedInvariants: readonly Invariant[] = [
  {
    name: 'feed_account_of_merchant',
    promise: 'A bank feed reports transfers only of receiving accounts of its own merchant and mode',
    sql: `SELECT a.feed_id || ' ' || a.receiving_account_id AS id FROM bank_feed_account a
          JOIN bank_feed f ON f.id = a.feed_id JOIN receiving_account r ON r.id = a.receiving_account_id
          WHERE f.merchant_id <> r.merchant_id OR f.mode <> r.mode`,
  },
  {
    name: 'feed_delivery_transfers_recorded',
    promise: 'The transfers of a feed delivery exist and belong to its merchant and mode',
    sql: `SELECT d.id FROM feed_delivery d, unnest(d.transfer_ids) AS reported (id)
          WHERE NOT EXISTS (SELECT 1 FROM transfer t
            WHERE t.id = reported.id AND t.merchant_id = d.merchant_id AND t.mode = d.mode)`,
  },
  {
    name: 'feed_transfer_has_feed',
    promise: 'A transfer that names a bank feed as its source has that feed',
    sql: `SELECT t.id FROM transfer t WHERE t.source = 'feed' AND t.file_kind IS NOT NULL AND NOT EXISTS (
            SELECT 1 FROM bank_feed f
            WHERE f.merchant_id = t.merchant_id AND f.mode = t.mode AND f.source_key = t.file_kind)`,
  },
];
