/** The accounts of the journal, in the order in which files list them. */
export const journalAccounts = [
  'bank',
  'sales',
  'customer_deposits',
  'refunds',
  'bank_fees',
  'other_income',
  'unmatched_receipts',
  'returned_receipts',
] as const;
export type JournalAccount = (typeof journalAccounts)[number];

/** Returns an SQL condition: the row was paid in the period. A date without a time is stored as midnight UTC. */
const isInPeriod = (row: string, dateOnly: string) =>
  `${row}.paid_at >= CASE WHEN ${dateOnly} THEN $5::timestamptz ELSE $3::timestamptz END
    AND ${row}.paid_at < CASE WHEN ${dateOnly} THEN $6::timestamptz ELSE $4::timestamptz END
    AND ${row}.paid_at >= least($3::timestamptz, $5::timestamptz) AND ${row}.paid_at < greatest($4::timestamptz, $6::timestamptz)`;
const toDay = (row: string, dateOnly: string) =>
  `(${row}.paid_at AT TIME ZONE CASE WHEN ${dateOnly} THEN 'UTC' ELSE $7 END)::date`;
const ofMerchant = (row: string) => `${row}.merchant_id = $1 AND ${row}.mode = $2::mode`;

/**
 * Common table expressions with the postings of a period: `posting (id, kind, day, receiving_account_id,
 * currency, account, amount, charge_id)`. A positive amount is a debit. The postings of each entry (`id`,
 * `kind`) add up to zero, and those of `bank` are the movements of the reconciliation:
 *   closing balance − opening balance = sum of `bank`
 * As in the reconciliation, a transfer belongs to the day on which it was paid, with its current allocations.
 * Other outgoing transfers and possible duplicates are not part of the books.
 */
export const postingsSql = `
WITH credit AS (
  SELECT t.id, ${toDay('t', 't.is_paid_at_date_only')} AS day, t.receiving_account_id, t.currency, t.amount, t.allocated, t.status
  FROM transfer t WHERE ${ofMerchant('t')} AND t.direction = 'credit' AND t.status <> 'duplicate' AND t.undone_at IS NULL
    AND NOT (t.status = 'exception' AND t.reason = 'possible_duplicate' AND t.allocated = 0)
    AND ${isInPeriod('t', 't.is_paid_at_date_only')}
), part AS (
  SELECT c.id, c.day, c.receiving_account_id, c.currency, a.charge_id, sum(a.amount) AS amount, sum(a.fee_amount) AS fee,
    CASE WHEN c.status = 'dismissed' THEN 'other_income' WHEN a.refund_id IS NOT NULL THEN 'refunds'
      WHEN a.charge_id IS NULL THEN 'returned_receipts' WHEN charge.status <> 'completed' THEN 'customer_deposits'
      ELSE 'sales' END AS account
  FROM credit c JOIN allocation a ON a.transfer_id = c.id LEFT JOIN charge ON charge.id = a.charge_id GROUP BY 1, 2, 3, 4, 5, 8
), payout AS (
  SELECT p.id, ${toDay('p', 'coalesce(t.is_paid_at_date_only, false)')} AS day, p.receiving_account_id, p.currency, p.amount, r.charge_id
  FROM refund_payout p JOIN refund r ON r.id = p.refund_id LEFT JOIN transfer t ON t.id = p.transfer_id
  WHERE ${ofMerchant('p')} AND ${isInPeriod('p', 'coalesce(t.is_paid_at_date_only, false)')}
), batch_fee AS (
  SELECT t.id, ${toDay('t', 't.is_paid_at_date_only')} AS day, t.receiving_account_id, t.currency, t.fee_amount AS amount
  FROM transfer t WHERE ${ofMerchant('t')} AND t.fee_amount > 0 AND ${isInPeriod('t', 't.is_paid_at_date_only')}
), posting (id, kind, day, receiving_account_id, currency, account, amount, charge_id) AS (
  SELECT id, 'receipt', day, receiving_account_id, currency, 'bank', amount, NULL FROM credit
  UNION ALL SELECT id, 'receipt', day, receiving_account_id, currency, account, -(amount + fee), charge_id FROM part
  UNION ALL SELECT id, 'receipt', day, receiving_account_id, currency, 'bank_fees', fee, charge_id FROM part WHERE fee <> 0
  UNION ALL SELECT id, 'receipt', day, receiving_account_id, currency, 'unmatched_receipts', allocated - amount, NULL
    FROM credit WHERE allocated <> amount
  UNION ALL SELECT id, 'return', day, receiving_account_id, currency, side.account, side.sign * amount, NULL
    FROM part, (VALUES ('returned_receipts', 1), ('bank', -1)) AS side (account, sign) WHERE part.account = 'returned_receipts'
  UNION ALL SELECT id, 'refund', day, receiving_account_id, currency, side.account, side.sign * amount, charge_id
    FROM payout, (VALUES ('refunds', 1), ('bank', -1)) AS side (account, sign)
  UNION ALL SELECT id, 'fee', day, receiving_account_id, currency, side.account, side.sign * amount, NULL
    FROM batch_fee, (VALUES ('bank_fees', 1), ('bank', -1)) AS side (account, sign)
)`;
