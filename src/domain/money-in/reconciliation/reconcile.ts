import type { Merchant, Mode, ReceivingAccount } from '../../../../prisma/client/client.ts';
import { checkDayRange } from '../../../kit/check-day-range.ts';
import { getDayStart, getNextDay } from '../../../kit/day-start.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import type { StaleReads } from '../../../kit/stale-reads.ts';

/** The movements of one account in one currency during the period, in minor units. */
export type ReconciliationLine = Omit<Sums, 'before'> & {
  account: ReceivingAccount;
  currency: string;
  opening: bigint;
  closing: bigint;
};
export type ReconciliationSum = Exclude<keyof ReconciliationLine, 'account' | 'currency'>;

/** A reconciliation of the days `from` to `to`, both inclusive, in the merchant's time zone. */
export type Reconciliation = {
  from: string;
  to: string;
  timeZone: string;
  start: Date;
  end: Date;
  lines: ReconciliationLine[];
};

/**
 * Returns the amounts that the merchant's accounts received and paid out during a period of days. A transfer
 * belongs to the day on which it was paid, with its current allocations. For each line:
 *   opening + received − returned − refunded − fees = closing
 *   received = matched + partial + exceptions + returned + otherIncoming
 * Outgoing transfers other than refund payouts (`otherOutgoingAmount`), and credits that may have been
 * reported before (`possibleDuplicates`), are listed separately and are part of no sum. Debits that may have
 * been reported before are left out. Error: `invalid_request`.
 */
export async function reconcile(
  reads: StaleReads,
  options: {
    merchant: Merchant;
    mode: Mode;
    from: string;
    to: string;
    receivingAccountId?: string | undefined;
  },
): Promise<Reconciliation> {
  const { merchant, mode, from, to } = options;
  checkDayRange({ from, to });
  const { timeZone } = merchant;
  const [start, end] = [getDayStart(from, timeZone), getDayStart(getNextDay(to), timeZone)];
  const days = { firstDay: new Date(`${from}T00:00:00Z`), dayAfter: new Date(`${getNextDay(to)}T00:00:00Z`) };
  const scope = { merchantId: merchant.id, mode };
  const sums = await readMovements(reads, { ...scope, start, end, ...days });
  const accounts = await reads.stale.receivingAccount.findMany({
    where: { ...scope, id: options.receivingAccountId ?? { in: sums.map(({ accountId }) => accountId) } },
    orderBy: [{ currency: 'asc' }, { id: 'asc' }],
  });
  const lines = accounts.flatMap((account) =>
    sums
      .filter(({ accountId }) => accountId === account.id)
      .map(({ accountId: _, currency, before, ...movements }) => ({
        account,
        currency,
        opening: before,
        ...movements,
        closing: before + movements.received - movements.returned - movements.refunded - movements.fees,
      })),
  );
  return { from, to, timeZone, start, end, lines };
}

/** Sums in minor units. `before` is the balance at the start of the period. */
type Sums = {
  before: bigint;
  received: bigint;
  matched: bigint;
  partial: bigint;
  exceptions: bigint;
  returned: bigint;
  refunded: bigint;
  /** The fees that acquirers deducted from batches, whose payments are received in full. */
  fees: bigint;
  otherOutgoingAmount: bigint;
  possibleDuplicates: bigint;
  /** Money that a user or a rule dismissed, because it is not a customer payment. */
  otherIncoming: bigint;
};

/**
 * `start` and `end` limit payments that have a time. `firstDay` and `dayAfter` limit payments that have only
 * a date, which is stored as midnight UTC.
 */
type ReconciliationPeriod = MerchantScope & { start: Date; end: Date; firstDay: Date; dayAfter: Date };

const sumNames = [
  'before',
  'received',
  'matched',
  'partial',
  'exceptions',
  'returned',
  'refunded',
  'fees',
  'otherOutgoingAmount',
  'possibleDuplicates',
  'otherIncoming',
] as const satisfies readonly (keyof Sums)[];

async function readMovements(
  reads: StaleReads,
  period: ReconciliationPeriod,
): Promise<(Sums & { accountId: string; currency: string })[]> {
  const { merchantId, mode, start, end, firstDay, dayAfter } = period;
  const rows = await reads.select<Record<'account' | 'currency' | (typeof sumNames)[number], string>>(
    movementsSql,
    [merchantId, mode, start, end, firstDay, dayAfter],
  );
  return rows.map(({ account, currency, ...sums }) => ({
    accountId: account,
    currency,
    ...(Object.fromEntries(sumNames.map((name) => [name, BigInt(sums[name])])) as Sums),
  }));
}

/** Returns an SQL condition: paid before the time or, if the transfer has only a date, before the day. */
const paidBefore = (row: string, time: string, day: string) =>
  `${row}.paid_at < CASE WHEN t.is_paid_at_date_only THEN ${day}::timestamptz ELSE ${time}::timestamptz END`;
const isBefore = paidBefore('t', '$3', '$5');
const untilEnd = `t.paid_at < greatest($4::timestamptz, $6::timestamptz) AND ${paidBefore('t', '$4', '$6')}`;
const isCounted = `t.merchant_id = $1 AND t.mode = $2::mode AND t.direction = 'credit' AND t.status <> 'duplicate' AND t.undone_at IS NULL AND ${untilEnd}`;

/** A returned amount belongs to the day of the original transfer, a payout to its own day. */
const movementsSql = `
WITH credits AS (
  SELECT t.receiving_account_id AS account, t.currency, ${isBefore} AS is_before, t.status = 'dismissed' AS is_dismissed,
    sum(t.amount) AS amount, sum(t.allocated) AS allocated
  FROM transfer t WHERE ${isCounted} GROUP BY 1, 2, 3, 4
), part_payments AS (
  SELECT t.receiving_account_id AS account, t.currency, sum(a.amount) AS amount
  FROM allocation a JOIN transfer t ON t.id = a.transfer_id JOIN charge c ON c.id = a.charge_id
  WHERE c.status <> 'completed' AND NOT ${isBefore} AND ${isCounted} GROUP BY 1, 2
), returns AS (
  SELECT t.receiving_account_id AS account, t.currency, ${isBefore} AS is_before, sum(a.amount) AS amount
  FROM allocation a JOIN transfer t ON t.id = a.transfer_id
  WHERE a.charge_id IS NULL AND a.refund_id IS NULL AND t.status <> 'dismissed' AND ${isCounted} GROUP BY 1, 2, 3
), payouts AS (
  SELECT p.receiving_account_id AS account, p.currency, ${paidBefore('p', '$3', '$5')} AS is_before, sum(p.amount) AS amount
  FROM refund_payout p LEFT JOIN transfer t ON t.id = p.transfer_id
  WHERE p.merchant_id = $1 AND p.mode = $2::mode AND ${paidBefore('p', '$4', '$6')} GROUP BY 1, 2, 3
), others AS (
  SELECT t.receiving_account_id AS account, t.currency, sum(t.amount) AS amount FROM transfer t
  WHERE t.merchant_id = $1 AND t.mode = $2::mode AND t.direction = 'debit' AND t.status <> 'duplicate' AND t.undone_at IS NULL
    AND t.reversal_of_id IS NULL AND t.reason IS DISTINCT FROM 'possible_duplicate' AND NOT EXISTS (SELECT 1 FROM refund_payout p WHERE p.transfer_id = t.id)
    AND t.paid_at >= least($3::timestamptz, $5::timestamptz) AND ${untilEnd} AND NOT ${isBefore}
  GROUP BY 1, 2
), fees AS (
  SELECT t.receiving_account_id AS account, t.currency, ${isBefore} AS is_before, sum(t.fee_amount) AS amount
  FROM transfer t WHERE t.merchant_id = $1 AND t.mode = $2::mode AND t.fee_amount > 0 AND ${untilEnd} GROUP BY 1, 2, 3
), possible_duplicates AS (
  -- A payment that was reported twice must not be counted twice until a user has decided.
  SELECT t.receiving_account_id AS account, t.currency, ${isBefore} AS is_before, sum(t.amount) AS amount
  FROM transfer t WHERE ${isCounted} AND t.status = 'exception' AND t.reason = 'possible_duplicate' AND t.allocated = 0
  GROUP BY 1, 2, 3
), movements (account, currency, before, received, matched, partial, exceptions, returned, refunded, fees, other, possible, incoming) AS (
  SELECT account, currency, amount, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 FROM credits WHERE is_before
  UNION ALL SELECT account, currency, 0, amount, CASE WHEN is_dismissed THEN 0 ELSE allocated END, 0,
    amount - allocated, 0, 0, 0, 0, 0, CASE WHEN is_dismissed THEN allocated ELSE 0 END FROM credits WHERE NOT is_before
  UNION ALL SELECT account, currency, 0, 0, -amount, amount, 0, 0, 0, 0, 0, 0, 0 FROM part_payments
  UNION ALL SELECT account, currency, -amount, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 FROM possible_duplicates WHERE is_before
  UNION ALL SELECT account, currency, 0, -amount, 0, 0, -amount, 0, 0, 0, 0, amount, 0 FROM possible_duplicates WHERE NOT is_before
  UNION ALL SELECT account, currency, -amount, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 FROM returns WHERE is_before
  UNION ALL SELECT account, currency, 0, 0, -amount, 0, 0, amount, 0, 0, 0, 0, 0 FROM returns WHERE NOT is_before
  UNION ALL SELECT account, currency, -amount, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 FROM payouts WHERE is_before
  UNION ALL SELECT account, currency, 0, 0, 0, 0, 0, 0, amount, 0, 0, 0, 0 FROM payouts WHERE NOT is_before
  UNION ALL SELECT account, currency, -amount, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 FROM fees WHERE is_before
  UNION ALL SELECT account, currency, 0, 0, 0, 0, 0, 0, 0, amount, 0, 0, 0 FROM fees WHERE NOT is_before
  UNION ALL SELECT account, currency, 0, 0, 0, 0, 0, 0, 0, 0, amount, 0, 0 FROM others
)
SELECT account, currency, sum(before) AS before, sum(received) AS received, sum(matched) AS matched,
  sum(partial) AS partial, sum(exceptions) AS exceptions, sum(returned) AS returned, sum(refunded) AS refunded,
  sum(fees) AS fees, sum(other) AS "otherOutgoingAmount", sum(possible) AS "possibleDuplicates",
  sum(incoming) AS "otherIncoming"
FROM movements GROUP BY account, currency ORDER BY account, currency`;
