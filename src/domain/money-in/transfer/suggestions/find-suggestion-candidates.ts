import { type Charge, Prisma, type Transfer } from '../../../../../prisma/client/client.ts';
import type { Db } from '../../../../kit/db.ts';
import type { MerchantScope } from '../../../../kit/merchant-scope.ts';
import { readSharedIdsByAccount, sharedIdsSql } from '../../../accounts/receiving-account/bank-account.ts';
import {
  getPaymentReferences,
  getSimilarReferences,
} from '../../../payments/allocation/get-payment-references.ts';
import { findReplacements } from '../../../payments/charge/find-replacements.ts';
import type { FeeRule } from '../bank-fee.ts';
import { findUndoneCharges } from '../matching/undone-payments.ts';
import {
  type CandidatePair,
  findPartlyPaid,
  findSameAmount,
  findSamePrice,
  getSince,
  getUntil,
  newestMax,
} from './amount-candidates.ts';

const knownPaymentsMax = 20;

export type SuggestionCandidates = {
  /**
   * Charges whose payment reference is in the text of any of the transfers, also with one typing error, and
   * those that replaced them or a charge that a transfer names by its unique amount.
   */
  referenced: Charge[];
  /** The IDs of the charges that replaced another one, directly or indirectly, by its ID. */
  replacements: ReadonlyMap<string, readonly string[]>;
  /** Charges on the bank account of which exactly the amount is outstanding, by transfer. */
  sameAmount: Map<string, Charge[]>;
  /** Unpaid charges on the bank account that were open when this amount, their price, was paid, by transfer. */
  samePrice: Map<string, Charge[]>;
  /** Unpaid charges on the bank account of customers for whom the payer has paid before, by transfer. */
  knownPayer: Map<string, Charge[]>;
  /** Completed charges whose payment of this amount was undone with its statement, by transfer. */
  undonePayment: Map<string, Charge[]>;
  /** The candidates whose payment was undone with its statement. */
  undoneIds: ReadonlySet<string>;
  /** The rules for fees, by receiving account. */
  feeRules: Map<string, FeeRule>;
  /** The IDs of the receiving accounts that are the same bank account, by receiving account. */
  sharedIds: ReadonlyMap<string, readonly string[]>;
};

/** Finds the charges that may be suggested. The number of SQL statements does not depend on the number of transfers. */
export async function findSuggestionCandidates(
  db: Db,
  scope: MerchantScope,
  transfers: readonly Transfer[],
): Promise<SuggestionCandidates> {
  const [
    [referenced, replacements],
    sameAmountPairs,
    partlyPaidPairs,
    samePricePairs,
    knownPayerPairs,
    undonePairs,
    accounts,
    sharedIds,
  ] = await Promise.all([
    findReferencedCharges(db, scope, transfers),
    findSameAmount(db, transfers),
    findPartlyPaid(db, scope, transfers),
    findSamePrice(db, transfers),
    findKnownPayers(db, scope, transfers),
    findUndonePayments(db, transfers),
    db.prisma.receivingAccount.findMany({
      where: { ...scope, id: { in: transfers.map(({ receivingAccountId }) => receivingAccountId) } },
      select: { id: true, maxBankFee: true, maxBankFeeRate: true },
    }),
    readSharedIdsByAccount(
      db,
      transfers.map(({ receivingAccountId }) => receivingAccountId),
    ),
  ]);
  const charges = await db.prisma.charge.findMany({
    where: {
      id: {
        in: [sameAmountPairs, partlyPaidPairs, samePricePairs, knownPayerPairs, undonePairs]
          .flat()
          .map(({ chargeId }) => chargeId),
      },
    },
  });
  const byId = new Map(charges.map((charge) => [charge.id, charge]));
  const group = (pairs: CandidatePair[]) =>
    new Map(
      [...Map.groupBy(pairs, ({ transferId }) => transferId)].map(([id, rows]) => [
        id,
        rows.flatMap(({ chargeId }) => byId.get(chargeId) ?? []),
      ]),
    );
  return {
    referenced,
    replacements,
    sameAmount: group([...sameAmountPairs, ...partlyPaidPairs]),
    samePrice: group(samePricePairs),
    knownPayer: group(knownPayerPairs),
    undonePayment: group(undonePairs),
    undoneIds: await findUndoneCharges(db.prisma, [...referenced, ...charges]),
    feeRules: new Map(accounts.map((account) => [account.id, account])),
    sharedIds,
  };
}

/**
 * Returns the charges whose payment references are in the texts, those that replaced them or a charge that a transfer
 * names by its unique amount, and which charges replaced which.
 */
async function findReferencedCharges(
  db: Db,
  scope: MerchantScope,
  transfers: readonly Transfer[],
): Promise<[Charge[], Map<string, string[]>]> {
  const paymentReferences = new Set(
    transfers.flatMap((transfer) => [...getPaymentReferences(transfer), ...getSimilarReferences(transfer)]),
  );
  const namedIds = transfers.flatMap(({ namedChargeId }) => namedChargeId ?? []);
  if (paymentReferences.size === 0 && namedIds.length === 0) return [[], new Map()];
  const referenced = await db.prisma.charge.findMany({
    where: { ...scope, receivingAccount: scope, paymentReference: { in: [...paymentReferences] } },
    orderBy: { id: 'desc' },
  });
  const ids = referenced.map(({ id }) => id);
  const replacements = await findReplacements(db, [...ids, ...namedIds]);
  const otherIds = [...replacements.values()].flat().filter((id) => !ids.includes(id));
  const others =
    otherIds.length === 0
      ? []
      : await db.prisma.charge.findMany({ where: { ...scope, id: { in: otherIds } } });
  return [[...referenced, ...others], replacements];
}

/** Returns the newest unpaid charges of the customers for whom a payer with the same name has paid before. */
function findKnownPayers(
  { prisma }: Db,
  { merchantId, mode }: MerchantScope,
  transfers: readonly Transfer[],
): Promise<CandidatePair[]> {
  const named = transfers.filter(({ payerName }) => payerName !== null && payerName !== '');
  if (named.length === 0) return Promise.resolve([]);
  return prisma.$queryRaw<CandidatePair[]>`
    SELECT DISTINCT item.id AS "transferId", candidate.id AS "chargeId"
    FROM unnest(${named.map(({ id }) => id)}::text[], ${named.map((transfer) => transfer.receivingAccountId)}::text[],
      ${named.map(({ payerName }) => payerName)}::text[], ${named.map(({ currency }) => currency)}::text[],
      ${named.map(getSince)}::timestamptz[], ${named.map(getUntil)}::timestamptz[])
      item (id, account, payer, currency, since, until)
    CROSS JOIN LATERAL (${sharedIdsSql(Prisma.sql`item.account`)}) AS account
    CROSS JOIN LATERAL (
      SELECT DISTINCT customer_id FROM (
        SELECT paid.customer_id FROM transfer known
        JOIN allocation ON allocation.transfer_id = known.id AND allocation.amount > 0
        JOIN charge paid ON paid.id = allocation.charge_id
        WHERE known.merchant_id = ${merchantId} AND known.mode = ${mode}::mode AND known.direction = 'credit'
          AND upper(known.payer_name) = upper(item.payer) AND known.id <> item.id
          AND NOT EXISTS (SELECT 1 FROM allocation undone WHERE undone.transfer_id = known.id
            AND undone.charge_id = paid.id AND undone.amount < 0 AND undone.id > allocation.id)
        ORDER BY known.id DESC LIMIT ${knownPaymentsMax}) recent) customer
    CROSS JOIN LATERAL (
      SELECT id FROM charge
      WHERE customer_id = customer.customer_id AND receiving_account_id = account.id
        AND status IN ('pending', 'expired') AND customer_currency = item.currency
        AND created_at BETWEEN item.since AND item.until
      ORDER BY created_at DESC LIMIT ${newestMax}) candidate`;
}

/**
 * Returns the completed charges whose payment of this amount was undone with its statement, and has not been repeated
 * yet. A line of the corrected statement without a reference pays one of them again.
 */
function findUndonePayments({ prisma }: Db, transfers: readonly Transfer[]): Promise<CandidatePair[]> {
  return prisma.$queryRaw<CandidatePair[]>`
    SELECT DISTINCT item.id AS "transferId", charge.id AS "chargeId"
    FROM unnest(${transfers.map(({ id }) => id)}::text[], ${transfers.map((transfer) => transfer.receivingAccountId)}::text[],
      ${transfers.map(({ amount }) => String(amount))}::bigint[], ${transfers.map(({ payerName }) => payerName)}::text[],
      ${transfers.map(getSince)}::timestamptz[], ${transfers.map(getUntil)}::timestamptz[])
      item (id, account, amount, payer, since, until)
    CROSS JOIN LATERAL (${sharedIdsSql(Prisma.sql`item.account`)}) AS account
    CROSS JOIN LATERAL (
      SELECT undone.id FROM transfer undone
      WHERE undone.receiving_account_id = account.id AND undone.amount = item.amount
        AND undone.paid_at BETWEEN item.since AND item.until
        AND undone.undone_at IS NOT NULL AND undone.status = 'exception' AND undone.id <> item.id
        AND (item.payer IS NULL OR undone.payer_name IS NULL OR upper(undone.payer_name) = upper(item.payer))
      ORDER BY undone.paid_at DESC LIMIT ${newestMax}) payment
    JOIN allocation ON allocation.transfer_id = payment.id AND allocation.amount > 0
    JOIN charge ON charge.id = allocation.charge_id AND charge.status = 'completed'
      AND charge.amount_received + charge.fee_amount < charge.customer_amount`;
}
