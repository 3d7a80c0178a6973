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
    select: { id: true, email: true, phone: true, paymentReference: true, refunds: { select: { id: true } } },
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
  const paymentReferences = new Set(charges.map(({ paymentReference }) => paymentReference));
  return {
    chargeIds,
    refundIds: charges.flatMap(({ refunds }) => refunds.map(({ id }) => id)),
    sessionIds,
    checkoutLinkIds,
    transferIds: await findTransferIds(tx, { scopeCondition, chargeIds, paymentReferences }),
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
 * Finds transfers that are allocated to the charges, their duplicates from other sources, and unallocated
 * transfers that contain a payment reference of the charges.
 */
async function findTransferIds(
  tx: Tx,
  {
    scopeCondition,
    chargeIds,
    paymentReferences,
  }: { scopeCondition: Prisma.Sql; chargeIds: string[]; paymentReferences: Set<string> },
): Promise<string[]> {
  const allocatedIds = await queryIds(
    tx,
    Prisma.sql`WITH applied AS (SELECT transfer_id AS id FROM allocation WHERE charge_id = ANY(${chargeIds}))
      SELECT id FROM applied
      UNION SELECT row.id FROM transfer row JOIN applied ON row.duplicate_of_id = applied.id`,
  );
  // Preselects transfers whose reference text has the form of a payment reference, or characters that are folded,
  // such as full-width ones; `getPaymentReferences` decides. Searching for each payment reference in each
  // transfer would take minutes.
  const unallocated = await tx.$queryRaw<{ id: string; reference: string }[]>`
    SELECT id, reference FROM transfer row
    WHERE ${scopeCondition} AND row.status IN ('exception', 'undone')
      AND (regexp_replace(upper(reference), '[^A-Z0-9]', '', 'g') ~ '[A-Z]{4}[2-9]{5}[A-Z]'
        OR octet_length(reference) > char_length(reference))`;
  const transfersWithReference = unallocated.filter((transfer) =>
    getPaymentReferences(transfer).some((reference) => paymentReferences.has(reference)),
  );
  return [...new Set([...allocatedIds, ...transfersWithReference.map(({ id }) => id)])].sort();
}

async function queryIds(tx: Tx, query: Prisma.Sql): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>(query);
  return rows.map(({ id }) => id).sort();
}
