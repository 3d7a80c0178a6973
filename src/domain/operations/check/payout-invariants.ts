import type { Invariant } from './invariant.ts';

export const payoutInvariants: readonly Invariant[] = [
  {
    name: 'refund_paid_once',
    promise:
      'A completed refund has exactly one payout of its amount that was not returned; no other refund has one',
    sql: `SELECT r.id FROM refund r LEFT JOIN refund_payout p ON p.refund_id = r.id AND p.returned_transfer_id IS NULL
          GROUP BY r.id HAVING count(p.id) <> CASE WHEN r.status = 'completed' THEN 1 ELSE 0 END
            OR bool_or(p.amount <> r.customer_amount OR p.currency <> r.customer_currency)`,
  },
  {
    name: 'payout_matches_transfer',
    promise: 'The transfers of a payout and of its return have its amount and the correct direction',
    sql: `SELECT p.id FROM refund_payout p JOIN transfer t ON t.id IN (p.transfer_id, p.returned_transfer_id)
          WHERE t.amount <> p.amount OR t.currency <> p.currency OR t.mode <> p.mode OR t.merchant_id <> p.merchant_id
            OR t.direction <> CASE WHEN t.id = p.transfer_id THEN 'debit' ELSE 'credit' END::transfer_direction`,
  },
  {
    name: 'payout_transfer_outgoing',
    promise: 'The transfer of a payout is outgoing and has no exception reason',
    sql: `SELECT t.id FROM transfer t JOIN refund_payout p ON p.transfer_id = t.id
          WHERE t.status <> 'outgoing' OR t.reason IS NOT NULL OR t.reversal_of_id IS NOT NULL`,
  },
  {
    name: 'returned_payout_allocated',
    promise:
      'The amount of a returned payout is allocated to its refund, unless the bank reversed the return',
    sql: `SELECT p.id FROM refund_payout p LEFT JOIN allocation a ON a.transfer_id = p.returned_transfer_id AND a.refund_id = p.refund_id
          WHERE p.returned_transfer_id IS NOT NULL GROUP BY p.id HAVING coalesce(sum(a.amount), 0) <>
            CASE WHEN EXISTS (SELECT 1 FROM transfer r WHERE r.reversal_of_id = p.returned_transfer_id) THEN 0 ELSE p.amount END`,
  },
];
