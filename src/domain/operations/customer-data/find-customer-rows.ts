import type { Customer } from '../../../../prisma/client/client.ts';
import { Prisma } from '../../../../prisma/client/client.ts';
import { foldEmail } from '../../../kit/contact.ts';
import type { Tx } from '../../../kit/db.ts';
import { getPaymentReferences } from '../../payments/allocation/get-payment-references.ts';

/** The IDs of rows with data about a customer. Data copied from these, such as events, is found by these IDs. */
export type CustomerRowIds = {
  chargeIds: string[];
  refundIds: string[];
  sessionIds: string[];
  checkoutLinkIds: string[];
  subscriptionIds: string[];
  subscriptionLinkIds: string[];
  invoiceIds: string[];
  transferIds: string[];
  messageIds: string[];
  phoneVerificationIds: bigint[];
};

/**
 * Finds rows with data about a customer. Sessions and links are included only if they store customer details, and the
 * customer used them or the details have the customer's email or, if they have no email, one of the customer's phones.
 */
export async function findCustomerRows(tx: Tx, customer: Customer): Promise<CustomerRowIds> {
  const { merchantId, mode } = customer;
  const charges = await tx.charge.findMany({
    where: { customerId: customer.id },
    select: {
      id: true,
      email: true,
      phone: true,
      paymentReference: true,
      refunds: { select: { id: true, payoutReference: true, previousPayoutReferences: true } },
    },
    orderBy: { id: 'asc' },
  });
  const chargeIds = charges.map(({ id }) => id);
  const phones = [customer.phone, ...charges.map(({ phone }) => phone)].filter((phone) => phone !== null);
  const scopeCondition = Prisma.sql`row.merchant_id = ${merchantId} AND row.mode = ${mode}::mode`;
  const prefillCondition = Prisma.sql`(lower(row.customer->>'email') = ${customer.email}
    OR (row.customer->>'email' IS NULL AND row.customer->>'phone' = ANY(${phones})))`;
  const sessionIds = await queryIds(
    tx,
    Prisma.sql`SELECT id FROM checkout_session row WHERE ${scopeCondition} AND row.customer IS NOT NULL AND (${prefillCondition}
      OR EXISTS (SELECT 1 FROM charge WHERE charge.session_id = row.id AND charge.customer_id = ${customer.id}))`,
  );
  const checkoutLinkIds = await queryIds(
    tx,
    Prisma.sql`SELECT id FROM checkout_link row WHERE ${scopeCondition} AND row.customer IS NOT NULL AND (${prefillCondition}
      OR EXISTS (SELECT 1 FROM charge WHERE charge.checkout_link_id = row.id AND charge.customer_id = ${customer.id}))`,
  );
  const refunds = charges.flatMap((charge) => charge.refunds);
  const refundIds = refunds.map(({ id }) => id);
  const references = new Set([
    ...charges.map(({ paymentReference }) => paymentReference),
    ...refunds.flatMap((refund) => [refund.payoutReference, ...refund.previousPayoutReferences]),
  ]);
  return {
    chargeIds,
    refundIds,
    sessionIds,
    checkoutLinkIds,
    transferIds: await findTransferIds(tx, { scopeCondition, chargeIds, refundIds, references }),
    ...(await findMessagesAndVerifications(tx, customer, charges)),
    ...(await findSubscriptions(tx, customer, { scopeCondition, prefillCondition })),
  };
}

/**
 * Finds subscriptions with their invoices, and the links that are prefilled for the customer or that the
 * customer enrolled with.
 */
async function findSubscriptions(
  tx: Tx,
  customer: Customer,
  { scopeCondition, prefillCondition }: { scopeCondition: Prisma.Sql; prefillCondition: Prisma.Sql },
): Promise<Pick<CustomerRowIds, 'subscriptionIds' | 'subscriptionLinkIds' | 'invoiceIds'>> {
  const subscriptions = await tx.subscription.findMany({
    where: { customerId: customer.id },
    select: { id: true, invoices: { select: { id: true } } },
    orderBy: { id: 'asc' },
  });
  return {
    subscriptionIds: subscriptions.map(({ id }) => id),
    invoiceIds: subscriptions.flatMap(({ invoices }) => invoices.map(({ id }) => id)),
    subscriptionLinkIds: await queryIds(
      tx,
      Prisma.sql`SELECT id FROM subscription_link row WHERE ${scopeCondition} AND row.customer IS NOT NULL AND (${prefillCondition}
        OR EXISTS (SELECT 1 FROM subscription WHERE link_id = row.id AND customer_id = ${customer.id}))`,
    ),
  };
}

/** Finds the messages and phone verifications for the addresses and phones in the customer's row and charges. */
async function findMessagesAndVerifications(
  tx: Tx,
  customer: Customer,
  charges: { email: string | null; phone: string | null }[],
): Promise<Pick<CustomerRowIds, 'messageIds' | 'phoneVerificationIds'>> {
  const { merchantId, mode } = customer;
  const collectValues = (name: 'email' | 'phone') =>
    [customer, ...charges].map((row) => row[name]).filter((value) => value !== null);
  const phones = collectValues('phone');
  const addresses = [...collectValues('email').map(foldEmail), ...phones];
  const verifications = await tx.phoneVerification.findMany({
    where: { merchantId, mode, phone: { in: phones } },
    select: { id: true },
    orderBy: { id: 'asc' },
  });
  return {
    messageIds: await queryIds(
      tx,
      Prisma.sql`SELECT id FROM message WHERE merchant_id = ${merchantId} AND mode = ${mode}::mode
        AND audience = 'customer' AND lower(recipient) = ANY(${addresses})`,
    ),
    phoneVerificationIds: verifications.map(({ id }) => id),
  };
}

/**
 * Finds transfers that were allocated to the charges or refunds, or contain one of their references.
 * Includes reversals of these transfers, and duplicates from other sources.
 */
async function findTransferIds(
  tx: Tx,
  options: {
    scopeCondition: Prisma.Sql;
    chargeIds: string[];
    refundIds: string[];
    references: ReadonlySet<string>;
  },
): Promise<string[]> {
  const { scopeCondition, chargeIds, refundIds, references } = options;
  const linkedIds = await queryIds(
    tx,
    Prisma.sql`SELECT transfer_id AS id FROM allocation WHERE charge_id = ANY(${chargeIds})
      UNION SELECT transfer_id FROM allocation WHERE refund_id = ANY(${refundIds})
      UNION SELECT id FROM transfer WHERE named_charge_id = ANY(${chargeIds})
      UNION SELECT transfer_id FROM refund_payout WHERE refund_id = ANY(${refundIds}) AND transfer_id IS NOT NULL
      UNION SELECT returned_transfer_id FROM refund_payout
        WHERE refund_id = ANY(${refundIds}) AND returned_transfer_id IS NOT NULL`,
  );
  // Preselects transfers whose reference text has the form of a payment reference, or characters that are folded,
  // such as full-width ones; `getPaymentReferences` decides. Searching for each payment reference in each
  // transfer would take minutes. Duplicates of applied transfers are found by their links.
  const unapplied = await tx.$queryRaw<{ id: string; reference: string }[]>`
    SELECT id, reference FROM transfer row
    WHERE ${scopeCondition} AND row.status NOT IN ('matched', 'partial', 'over')
      AND NOT EXISTS (SELECT 1 FROM transfer original
        WHERE original.id = row.duplicate_of_id AND original.merchant_id = row.merchant_id
          AND original.status IN ('matched', 'partial', 'over'))
      AND (regexp_replace(upper(reference), '[^A-Z0-9]', '', 'g') ~ '[A-Z]{4}[2-9]{5}[A-Z]'
        OR octet_length(reference) > char_length(reference))`;
  const transfersWithReference = unapplied.filter((transfer) =>
    getPaymentReferences(transfer).some((reference) => references.has(reference)),
  );
  const ids = [...new Set([...linkedIds, ...transfersWithReference.map(({ id }) => id)])];
  return queryIds(
    tx,
    Prisma.sql`WITH RECURSIVE related AS (
        SELECT id FROM transfer WHERE id = ANY(${ids})
        UNION SELECT found.id FROM related JOIN LATERAL (
          SELECT id FROM transfer WHERE duplicate_of_id = related.id
          UNION ALL SELECT id FROM transfer WHERE reversal_of_id = related.id) found ON true)
      SELECT id FROM related`,
  );
}

async function queryIds(tx: Tx, query: Prisma.Sql): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>(query);
  return rows.map(({ id }) => id).sort();
}
