import type { Customer } from '../../../../prisma/client/client.ts';
import { Prisma } from '../../../../prisma/client/client.ts';
import { foldEmail } from '../../../kit/contact.ts';
import type { Tx } from '../../../kit/db.ts';
import { noncesOf } from '../../payments/allocation/nonces-of.ts';

/** Ids of all rows that hold something about a customer beside the customer's own. */
export type Traces = {
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
 * Where a customer has left traces: the charges and their refunds; sessions and links that were charged by the customer
 * or are pre-filled with the customer's e-mail (without one: phone); transfers that count for the charges or carry
 * their nonces; subscriptions, their links and invoices; what was sent to the e-mail addresses and phones.
 */
export async function findTraces(tx: Tx, customer: Customer): Promise<Traces> {
  const { merchantId, mode } = customer;
  const charges = await tx.charge.findMany({
    where: { customerId: customer.id },
    select: { id: true, email: true, phone: true, nonce: true, refunds: { select: { id: true } } },
    orderBy: { id: 'asc' },
  });
  const chargeIds = charges.map(({ id }) => id);
  const phones = [customer.phone, ...charges.map(({ phone }) => phone)].filter((phone) => phone !== null);
  const owner = Prisma.sql`row.merchant_id = ${merchantId} AND row.mode = ${mode}::mode`;
  const prefilled = Prisma.sql`(lower(row.customer->>'email') = ${customer.email}
    OR (row.customer->>'email' IS NULL AND row.customer->>'phone' = ANY(${phones})))`;
  const sessionIds = await ids(
    tx,
    Prisma.sql`SELECT id FROM checkout_session row WHERE ${owner} AND row.customer IS NOT NULL AND (${prefilled}
      OR EXISTS (SELECT 1 FROM charge WHERE charge.session_id = row.id AND charge.customer_id = ${customer.id}))`,
  );
  const checkoutLinkIds = await ids(
    tx,
    Prisma.sql`SELECT id FROM checkout_link row WHERE ${owner} AND row.customer IS NOT NULL AND (${prefilled}
      OR EXISTS (SELECT 1 FROM charge WHERE charge.checkout_link_id = row.id AND charge.customer_id = ${customer.id}))`,
  );
  const nonces = new Set(charges.map(({ nonce }) => nonce));
  return {
    chargeIds,
    refundIds: charges.flatMap(({ refunds }) => refunds.map(({ id }) => id)),
    sessionIds,
    checkoutLinkIds,
    transferIds: await findTransferIds(tx, { owner, chargeIds, nonces }),
    ...(await findSent(tx, customer, charges)),
    ...(await findSubscribed(tx, customer, { owner, prefilled })),
  };
}

/**
 * Subscriptions with their invoices, and the links that were pre-filled for the customer, or by which the customer
 * enrolled.
 */
async function findSubscribed(
  tx: Tx,
  customer: Customer,
  { owner, prefilled }: { owner: Prisma.Sql; prefilled: Prisma.Sql },
): Promise<Pick<Traces, 'subscriptionIds' | 'subscriptionLinkIds' | 'invoiceIds'>> {
  const subscriptions = await tx.subscription.findMany({
    where: { customerId: customer.id },
    select: { id: true, invoices: { select: { id: true } } },
    orderBy: { id: 'asc' },
  });
  return {
    subscriptionIds: subscriptions.map(({ id }) => id),
    invoiceIds: subscriptions.flatMap(({ invoices }) => invoices.map(({ id }) => id)),
    subscriptionLinkIds: await ids(
      tx,
      Prisma.sql`SELECT id FROM subscription_link row WHERE ${owner} AND row.customer IS NOT NULL AND (${prefilled}
        OR EXISTS (SELECT 1 FROM subscription WHERE link_id = row.id AND customer_id = ${customer.id}))`,
    ),
  };
}

/** What was sent to the addresses of a customer, as the customer's own row and the charges give them. */
async function findSent(
  tx: Tx,
  customer: Customer,
  charges: { email: string | null; phone: string | null }[],
): Promise<Pick<Traces, 'messageIds' | 'phoneVerificationIds'>> {
  const { merchantId, mode } = customer;
  const known = (name: 'email' | 'phone') =>
    [customer, ...charges].map((row) => row[name]).filter((value) => value !== null);
  const phones = known('phone');
  const addresses = [...known('email').map(foldEmail), ...phones];
  const verifications = await tx.phoneVerification.findMany({
    where: { merchantId, mode, phone: { in: phones } },
    select: { id: true },
    orderBy: { id: 'asc' },
  });
  return {
    messageIds: await ids(
      tx,
      Prisma.sql`SELECT id FROM message WHERE merchant_id = ${merchantId} AND mode = ${mode}::mode
        AND audience = 'customer' AND lower(recipient) = ANY(${addresses})`,
    ),
    phoneVerificationIds: verifications.map(({ id }) => id),
  };
}

/** Also what another source told of the same money, and what came too late to count. */
async function findTransferIds(
  tx: Tx,
  { owner, chargeIds, nonces }: { owner: Prisma.Sql; chargeIds: string[]; nonces: Set<string> },
): Promise<string[]> {
  const counted = await ids(
    tx,
    Prisma.sql`WITH counted AS (SELECT transfer_id AS id FROM allocation WHERE charge_id = ANY(${chargeIds}))
      SELECT id FROM counted
      UNION SELECT row.id FROM transfer row JOIN counted ON row.same_as_id = counted.id`,
  );
  // Narrowed to what holds something like a nonce, or letters that are folded (wide ones): `noncesOf` decides. To look for
  // each of many nonces in each of many transfers takes minutes.
  const uncounted = await tx.$queryRaw<{ id: string; reference: string }[]>`
    SELECT id, reference FROM transfer row
    WHERE ${owner} AND row.status = 'exception'
      AND (regexp_replace(upper(reference), '[^A-Z0-9]', '', 'g') ~ '[A-Z]{5}[0-9]{4}'
        OR octet_length(reference) > char_length(reference))`;
  const late = uncounted.filter((transfer) => noncesOf(transfer).some((nonce) => nonces.has(nonce)));
  return [...new Set([...counted, ...late.map(({ id }) => id)])].sort();
}

async function ids(tx: Tx, query: Prisma.Sql): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>(query);
  return rows.map(({ id }) => id).sort();
}
