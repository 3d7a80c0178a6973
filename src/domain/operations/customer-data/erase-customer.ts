import { type Customer, Prisma } from '../../../../prisma/client/client.ts';
import { announceChange } from '../../../event/announce-change.ts';
import type { Db, Tx } from '../../../kit/db.ts';
import { minuteMs } from '../../../kit/duration.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { Secrets } from '../../../kit/secrets.ts';
import { getPaymentReferences } from '../../payments/allocation/get-payment-references.ts';
import { lockCustomer } from '../../payments/customer/lock-customer.ts';
import { deleteExports } from '../../payouts/export/delete-exports.ts';
import { eraseFeedDeliveries } from './erase-feed-deliveries.ts';
import { eraseStoredResponses } from './erase-stored-responses.ts';
import { type CustomerRowIds, findCustomerRows } from './find-customer-rows.ts';
import { type RunBatch, transactErasure } from './transact-erasure.ts';

/** The number of erased rows by kind. */
type Erasure = {
  charges: number;
  sessions: number;
  checkoutLinks: number;
  subscriptions: number;
  transfers: number;
  messages: number;
  events: number;
};

/**
 * The second pass includes the responses that were stored this long before the first pass, because of open
 * transactions and machines whose clock is behind.
 */
const overlapMs = 2 * minuteMs;

/**
 * Erases the personal data of a customer:
 *
 * - email, phone and names of the customer and of their charges and subscriptions
 * - metadata, notes of the customer, their charges, refunds and transfers, and prefill data of sessions and links
 * - payout details of refunds, except those that are being paid
 * - payer names, payer accounts and references of transfers, and the deliveries of bank feeds that reported them
 * - personal data in event payloads and stored responses
 * - messages to the customer, phone verifications, checkout slots, and the merchant's export files
 *
 * IDs, amounts, orders and times remain for the merchant's accounting. The call can be repeated. Throws
 * `customer_not_found`.
 */
export async function eraseCustomer(
  db: Db & { secrets: Secrets },
  options: { id: string; now: Date },
): Promise<Erasure> {
  const firstPass = await eraseFirstPass(db, options);
  return transactErasure(db, firstPass.merchantId, async (uow) => {
    const { tx } = uow;
    const runBatch: RunBatch = (work) => work(tx);
    const customer = await lockCustomer(tx, options.id);
    await lockPayments(tx, customer);
    const rowIds = await findCustomerRows(tx, customer);
    const { chargeIds, refundIds, sessionIds, checkoutLinkIds, subscriptionIds } = rowIds;
    const identifiers = await findIdentifiers(tx, customer, rowIds);
    const emptyContact = { email: null, phone: null, firstName: null, lastName: null };
    await tx.customer.update({
      where: { id: customer.id },
      data: { ...emptyContact, note: null, updatedAt: options.now },
    });
    const noMetadata = { metadata: Prisma.DbNull };
    const emptyCopy = { ...emptyContact, ...noMetadata };
    await tx.charge.updateMany({ where: { customerId: customer.id }, data: { ...emptyCopy, note: null } });
    const startedIds = [...chargeIds, ...subscriptionIds];
    await tx.checkoutSlot.deleteMany({ where: { objectId: { in: startedIds } } });
    await eraseRefunds(tx, rowIds);
    const noTexts = { ...noMetadata, note: null };
    await tx.refund.updateMany({ where: { id: { in: refundIds } }, data: noTexts });
    const noPrefill = { customer: Prisma.DbNull, ...noMetadata };
    await tx.checkoutSession.updateMany({ where: { id: { in: sessionIds } }, data: noPrefill });
    await tx.checkoutLink.updateMany({ where: { id: { in: checkoutLinkIds } }, data: noPrefill });
    await tx.subscription.updateMany({ where: { id: { in: subscriptionIds } }, data: emptyCopy });
    const linkIds = rowIds.subscriptionLinkIds;
    await tx.subscriptionLink.updateMany({ where: { id: { in: linkIds } }, data: noPrefill });
    await eraseTransfers(runBatch, rowIds);
    const { merchantId, mode } = customer;
    await eraseFeedDeliveries(tx, { merchantId, mode, transferIds: rowIds.transferIds });
    // Deletes all export files; the merchant can create them again, without the customer's data.
    await deleteExports(tx, { merchantId, mode });
    const messages = await eraseMessages(tx, rowIds);
    const events = firstPass.events + (await eraseEvents(runBatch, rowIds));
    const responseScope = {
      merchantId,
      mode,
      identifiers,
      ids: collectIds(customer, rowIds),
      secrets: db.secrets,
    };
    await eraseStoredResponses({ tx, runBatch }, { ...responseScope, since: firstPass.since });
    for (const objectId of [...chargeIds, ...refundIds, ...sessionIds, ...subscriptionIds])
      announceChange(uow, { objectId, merchantId, mode });
    return {
      charges: chargeIds.length,
      sessions: sessionIds.length,
      checkoutLinks: checkoutLinkIds.length,
      subscriptions: subscriptionIds.length,
      transfers: rowIds.transferIds.length,
      messages,
      events,
    };
  });
}

/**
 * Erases stored responses, transfers and events before the transaction, because a busy merchant can have more
 * responses, and a frequent customer more transfers and events, than a transaction can process. The transaction then
 * reads only the responses stored after `since`. Returns `since` and the number of changed events. An interrupted
 * erasure can be repeated, because the identifiers of the customer are erased last.
 */
async function eraseFirstPass(
  db: Db & { secrets: Secrets },
  { id, now }: { id: string; now: Date },
): Promise<{ merchantId: string; since: Date; events: number }> {
  const customer = await db.prisma.customer.findUnique({ where: { id } });
  if (!customer) throw new DomainError('customer_not_found', `Customer not found: ${id}`);
  const { merchantId, mode } = customer;
  const rowIds = await findCustomerRows(db.prisma, customer);
  const identifiers = await findIdentifiers(db.prisma, customer, rowIds);
  const ids = collectIds(customer, rowIds);
  const runBatch: RunBatch = (work) => transactErasure(db, merchantId, ({ tx }) => work(tx));
  const responseScope = { merchantId, mode, identifiers, ids, secrets: db.secrets };
  await eraseStoredResponses({ tx: db.prisma, runBatch }, responseScope);
  await eraseTransfers(runBatch, rowIds);
  const events = await eraseEvents(runBatch, rowIds);
  return { merchantId, since: new Date(now.getTime() - overlapMs), events };
}

/** Blocks concurrent refunds and invoices, which would copy personal data of the customer. */
async function lockPayments(tx: Tx, { id }: Customer): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM charge WHERE customer_id = ${id} ORDER BY id FOR UPDATE`;
  await tx.$queryRaw`SELECT 1 FROM subscription WHERE customer_id = ${id} ORDER BY id FOR UPDATE`;
}

/** Returns the IDs by which a response about the customer is recognized. */
function collectIds({ id }: Customer, { phoneVerificationIds: _, ...rowIds }: CustomerRowIds): string[] {
  return [id, ...Object.values(rowIds).flat()];
}

/** Erases the payout details of refunds, except those that are being paid. */
async function eraseRefunds(tx: Tx, { refundIds }: CustomerRowIds): Promise<void> {
  await tx.refund.updateMany({
    where: { id: { in: refundIds }, status: { not: 'processing' } },
    data: { detailsEncrypted: null, payoutScheme: null, reopenReason: null },
  });
}

/**
 * Deletes emails, SMS messages and phone verifications, whether sent or not. Returns the number of deleted
 * emails and SMS messages.
 */
async function eraseMessages(tx: Tx, { messageIds, phoneVerificationIds }: CustomerRowIds): Promise<number> {
  await tx.phoneVerification.deleteMany({ where: { id: { in: phoneVerificationIds } } });
  const { count } = await tx.message.deleteMany({ where: { id: { in: messageIds } } });
  return count;
}

const personalColumns = { email: true, phone: true, firstName: true, lastName: true } as const;

/** Returns the texts that identify a customer: email addresses, phone numbers and names as entered. */
async function findIdentifiers(tx: Tx, customer: Customer, rowIds: CustomerRowIds): Promise<string[]> {
  const whereIdIn = (ids: string[]) => ({ where: { id: { in: ids } } });
  const prefill = { select: { customer: true } } as const;
  const rows = [
    ...(await tx.charge.findMany({ ...whereIdIn(rowIds.chargeIds), select: personalColumns })),
    ...(await tx.subscription.findMany({ ...whereIdIn(rowIds.subscriptionIds), select: personalColumns })),
  ];
  const prefills: { customer: Prisma.JsonValue }[] = [
    ...(await tx.checkoutSession.findMany({ ...whereIdIn(rowIds.sessionIds), ...prefill })),
    ...(await tx.checkoutLink.findMany({ ...whereIdIn(rowIds.checkoutLinkIds), ...prefill })),
    ...(await tx.subscriptionLink.findMany({ ...whereIdIn(rowIds.subscriptionLinkIds), ...prefill })),
  ];
  const texts = [customer.email, customer.phone]
    .concat(rows.flatMap(({ email, phone, firstName, lastName }) => [email, phone, firstName, lastName]))
    .concat(prefills.flatMap((row) => Object.values(row.customer ?? {}).map(toText)));
  return [...new Set(texts)].filter((text) => text !== null && text !== '') as string[];
}

function toText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

const batchSize = 1_000;

const personalFields = new Set(['email', 'phone', 'firstName', 'lastName', 'payerName', 'metadata']);

/**
 * Erases payer names, payer accounts, references and notes. Keeps payment references, by which repeated transfers
 * are recognized.
 */
async function eraseTransfers(runBatch: RunBatch, { transferIds }: CustomerRowIds): Promise<void> {
  for (const batchIds of splitBatches(transferIds))
    await runBatch(async (tx) => {
      const rows = await tx.$queryRaw<{ id: string; reference: string }[]>`
        SELECT id, reference FROM transfer WHERE id = ANY(${batchIds}) ORDER BY id FOR NO KEY UPDATE`;
      await tx.$executeRaw`UPDATE transfer SET payer_name = NULL, payer_account = NULL, note = NULL, reference = input.reference
        FROM unnest(${rows.map(({ id }) => id)}::text[], ${rows.map((row) => extractPaymentReferences(row.reference))}::text[])
          AS input (id, reference)
        WHERE transfer.id = input.id AND (payer_name IS NOT NULL OR payer_account IS NOT NULL OR note IS NOT NULL
          OR transfer.reference <> input.reference)`;
    });
}

/** Removes personal data from event payloads and returns the number of changed events. */
async function eraseEvents(runBatch: RunBatch, rowIds: CustomerRowIds): Promise<number> {
  const { chargeIds, refundIds, sessionIds, transferIds, subscriptionIds, invoiceIds } = rowIds;
  const objectIds = [chargeIds, refundIds, sessionIds, transferIds, subscriptionIds, invoiceIds].flat();
  let erasedCount = 0;
  for (const batchIds of splitBatches(objectIds))
    erasedCount += await runBatch(async (tx) => {
      const events = await tx.$queryRaw<{ id: string; payload: string }[]>`
        SELECT id, payload FROM event WHERE object_id = ANY(${batchIds})`;
      const changedEvents = events
        .map(({ id, payload }) => ({
          id,
          payload,
          erased: JSON.stringify(JSON.parse(payload, removePersonalData)),
        }))
        .filter((event) => event.erased !== event.payload);
      if (changedEvents.length === 0) return 0;
      return tx.$executeRaw`UPDATE event SET payload = input.payload
        FROM unnest(${changedEvents.map(({ id }) => id)}::text[], ${changedEvents.map((event) => event.erased)}::text[])
          AS input (id, payload)
        WHERE event.id = input.id`;
    });
  return erasedCount;
}

/**
 * A reviver for `JSON.parse` that removes personal data at any depth. Of a `reference`, the text of the
 * payer, it keeps only the payment references.
 */
function removePersonalData(key: string, value: unknown): unknown {
  if (personalFields.has(key)) return undefined;
  return key === 'reference' && typeof value === 'string' ? extractPaymentReferences(value) : value;
}

function extractPaymentReferences(reference: string): string {
  return getPaymentReferences({ reference }).join(' ');
}

function* splitBatches(ids: string[]): Generator<string[]> {
  for (let start = 0; start < ids.length; start += batchSize) yield ids.slice(start, start + batchSize);
}
