import { Prisma, type Transfer } from '../../../../../prisma/client/client.ts';
import type { Db } from '../../../../kit/db.ts';
import { dayMs, minuteMs } from '../../../../kit/duration.ts';
import type { MerchantScope } from '../../../../kit/merchant-scope.ts';
import { foldReference } from '../../../../method/payment-reference.ts';
import { sharedIdsSql } from '../../../accounts/receiving-account/bank-account.ts';
import { getUnallocatedAmount } from '../../../payments/allocation/lock-transfer.ts';
import { offsetDivisor } from '../../../payments/charge/choose-account-and-amount.ts';

/**
 * How many days before the payment date a charge without a matching reference may have been created, and how
 * many days after it, because of the bank's calendar.
 */
export const suggestionDays = { before: 14, after: 1 };
export const newestMax = 5;
const similarMax = 20;

/** A charge that may be suggested for a transfer. */
export type CandidatePair = { transferId: string; chargeId: string };

export const getSince = ({ paidAt }: Transfer) => new Date(paidAt.getTime() - suggestionDays.before * dayMs);
export const getUntil = ({ paidAt }: Transfer) => new Date(paidAt.getTime() + suggestionDays.after * dayMs);
const toUnallocatedText = (transfer: Transfer) => String(getUnallocatedAmount(transfer));

/**
 * Returns the newest charges on the same bank account that received nothing and have exactly the amount of each
 * transfer, and those whose payment reference has a part in common with its text.
 */
export function findSameAmount({ prisma }: Db, transfers: readonly Transfer[]): Promise<CandidatePair[]> {
  return prisma.$queryRaw<CandidatePair[]>`
    SELECT DISTINCT item.id AS "transferId", candidate.id AS "chargeId"
    FROM unnest(${transfers.map(({ id }) => id)}::text[], ${transfers.map((transfer) => transfer.receivingAccountId)}::text[],
      ${transfers.map(toUnallocatedText)}::bigint[], ${transfers.map(({ currency }) => currency)}::text[],
      ${transfers.map(getSince)}::timestamptz[], ${transfers.map(getUntil)}::timestamptz[],
      ${transfers.map(({ reference }) => foldReference(reference))}::text[])
      item (id, account, amount, currency, since, until, folded)
    CROSS JOIN LATERAL (${sharedIdsSql(Prisma.sql`item.account`)}) AS account
    CROSS JOIN LATERAL (
      (SELECT id FROM charge
      WHERE receiving_account_id = account.id AND customer_amount = item.amount AND status <> 'completed'
        AND amount_received <= 0 AND customer_currency = item.currency AND created_at BETWEEN item.since AND item.until
      ORDER BY created_at DESC LIMIT ${newestMax})
      UNION ALL
      (SELECT id FROM charge
      WHERE receiving_account_id = account.id AND customer_amount = item.amount AND status <> 'completed'
        AND amount_received <= 0 AND customer_currency = item.currency AND created_at BETWEEN item.since AND item.until
        AND (strpos(item.folded, left(payment_reference, 4)) > 0
          OR strpos(item.folded, substr(payment_reference, 5, 3)) > 0 OR strpos(item.folded, right(payment_reference, 3)) > 0)
      ORDER BY created_at DESC LIMIT ${similarMax})) candidate`;
}

/**
 * Returns the newest partly paid charges on the same bank account of which exactly the amount of each transfer is
 * outstanding, with or without what makes their amount unique. They are few, and may have been open for long.
 */
export function findPartlyPaid(
  { prisma }: Db,
  { merchantId, mode }: MerchantScope,
  transfers: readonly Transfer[],
): Promise<CandidatePair[]> {
  return prisma.$queryRaw<CandidatePair[]>`
    SELECT item.id AS "transferId", candidate.id AS "chargeId"
    FROM unnest(${transfers.map(({ id }) => id)}::text[], ${transfers.map((transfer) => transfer.receivingAccountId)}::text[],
      ${transfers.map(toUnallocatedText)}::bigint[], ${transfers.map(({ currency }) => currency)}::text[],
      ${transfers.map(getUntil)}::timestamptz[])
      item (id, account, amount, currency, until)
    CROSS JOIN LATERAL (${sharedIdsSql(Prisma.sql`item.account`)}) AS account
    CROSS JOIN LATERAL (
      SELECT id FROM charge
      WHERE merchant_id = ${merchantId} AND mode = ${mode}::mode AND completed_at IS NULL AND amount_received > 0
        AND receiving_account_id = account.id AND customer_currency = item.currency
        AND customer_amount - amount_received - item.amount IN (0, coalesce(amount_offset, 0))
        AND created_at <= item.until
      ORDER BY id DESC LIMIT ${newestMax}) candidate`;
}

/**
 * Returns the newest unpaid charges on the same bank account that were open when each transfer was paid, and whose
 * price, without what makes their amount unique, is its amount. Banks truncate times to the minute, and a date may be
 * in any time zone.
 */
export function findSamePrice({ prisma }: Db, transfers: readonly Transfer[]): Promise<CandidatePair[]> {
  const since = ({ paidAt, isPaidAtDateOnly }: Transfer) =>
    new Date(paidAt.getTime() - (isPaidAtDateOnly ? dayMs : 0));
  const until = ({ paidAt, isPaidAtDateOnly }: Transfer) =>
    new Date(paidAt.getTime() + (isPaidAtDateOnly ? 2 * dayMs : minuteMs));
  return prisma.$queryRaw<CandidatePair[]>`
    SELECT DISTINCT item.id AS "transferId", candidate.id AS "chargeId"
    FROM unnest(${transfers.map(({ id }) => id)}::text[], ${transfers.map((transfer) => transfer.receivingAccountId)}::text[],
      ${transfers.map(toUnallocatedText)}::bigint[], ${transfers.map(({ currency }) => currency)}::text[],
      ${transfers.map(since)}::timestamptz[], ${transfers.map(until)}::timestamptz[])
      item (id, account, amount, currency, since, until)
    CROSS JOIN LATERAL (${sharedIdsSql(Prisma.sql`item.account`)}) AS account
    CROSS JOIN LATERAL (
      SELECT id FROM charge
      WHERE receiving_account_id = account.id AND amount_offset = customer_amount - item.amount
        AND customer_amount > item.amount AND customer_amount <= item.amount + item.amount / ${offsetDivisor}
        AND status <> 'completed' AND amount_received <= 0 AND customer_currency = item.currency
        AND created_at < item.until AND expires_at >= item.since
      ORDER BY created_at DESC LIMIT ${newestMax}) candidate`;
}
