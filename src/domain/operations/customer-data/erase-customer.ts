import { type Customer, Prisma } from '../../../../prisma/client/client.ts';
import { announceChange } from '../../../event/announce-change.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Db, Tx } from '../../../kit/db.ts';
import { minuteMs } from '../../../kit/duration.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { Secrets } from '../../../kit/secrets.ts';
import { getPaymentReferences } from '../../payments/allocation/get-payment-references.ts';
import { lockCustomer } from '../../payments/customer/lock-customer.ts';
import { deleteExports } from '../../payouts/export/delete-exports.ts';
import { eraseStoredResponses } from './erase-stored-responses.ts';
import { findTraces, type Traces } from './find-traces.ts';

/** How many rows of each kind were emptied. */
export type Erasure = {
  charges: number;
  sessions: number;
  checkoutLinks: number;
  subscriptions: number;
  transfers: number;
  messages: number;
  events: number;
};

/** Answers kept so shortly before may come from transactions that had not ended, or from machines whose clock is late. */
const overlapMs = 2 * minuteMs;

/**
 * Empties what is known of a customer as a person: e-mail, phone and names on the customer, its charges and
 * subscriptions, pre-fill data of sessions and links, payout details of refunds that are not being paid just then,
 * payers' names and remarks of transfers, and all of these in event payloads and kept answers; deletes what was sent to
 * the customer, and the merchant's exported files. Ids, amounts, orders and times stay: they are the merchant's books.
 * Being repeated does nothing. Error: `customer_not_found`.
 */
export async function eraseCustomer(
  db: Db & { secrets: Secrets },
  options: { id: string; now: Date },
): Promise<Erasure> {
  const firstPass = await eraseFirstPass(db, options);
  return transact(db, async (uow) => {
    const { tx } = uow;
    const customer = await lockCustomer(tx, options.id);
    await lockPayments(tx, customer);
    const traces = await findTraces(tx, customer);
    const { chargeIds, sessionIds, checkoutLinkIds } = traces;
    const identifiers = await findIdentifiers(tx, customer, traces);
    const { merchantId, mode } = customer;
    await tx.customer.update({
      where: { id: customer.id },
      data: { email: null, phone: null, updatedAt: options.now },
    });
    const emptyContact = { email: null, phone: null, firstName: null, lastName: null };
    await tx.charge.updateMany({ where: { customerId: customer.id }, data: emptyContact });
    const startedIds = [...chargeIds, ...traces.subscriptionIds];
    await tx.checkoutSlot.deleteMany({ where: { objectId: { in: startedIds } } });
    await eraseRefunds(tx, traces);
    const noPrefill = { customer: Prisma.DbNull };
    await tx.checkoutSession.updateMany({ where: { id: { in: sessionIds } }, data: noPrefill });
    await tx.checkoutLink.updateMany({ where: { id: { in: checkoutLinkIds } }, data: noPrefill });
    await tx.subscription.updateMany({ where: { id: { in: traces.subscriptionIds } }, data: emptyContact });
    const linkIds = traces.subscriptionLinkIds;
    await tx.subscriptionLink.updateMany({ where: { id: { in: linkIds } }, data: noPrefill });
    await eraseTransfers(tx, traces);
    // Files made from what was known go whole: they can be made again, without the customer.
    await deleteExports(tx, { merchantId, mode });
    const messages = await eraseMessages(tx, traces);
    const events = firstPass.events + (await eraseEvents(tx, traces));
    const responseScope = {
      merchantId,
      mode,
      identifiers,
      ids: collectIds(customer, traces),
      secrets: db.secrets,
    };
    await eraseStoredResponses(tx, { ...responseScope, since: firstPass.since });
    const { refundIds, subscriptionIds } = traces;
    for (const objectId of [...chargeIds, ...refundIds, ...sessionIds, ...subscriptionIds])
      announceChange(uow, { objectId, merchantId, mode });
    return {
      charges: chargeIds.length,
      sessions: sessionIds.length,
      checkoutLinks: checkoutLinkIds.length,
      subscriptions: traces.subscriptionIds.length,
      transfers: traces.transferIds.length,
      messages,
      events,
    };
  });
}

/**
 * A busy merchant keeps more answers, and a customer of many payments leaves more texts, than one transaction has time
 * for: they are emptied before it, and it looks for those written since. Answers which kept answers these are, and how
 * many events were emptied. Broken off, it is done again: by what words a customer is known goes in the transaction.
 */
async function eraseFirstPass(
  db: Db & { secrets: Secrets },
  { id, now }: { id: string; now: Date },
): Promise<{ since: Date; events: number }> {
  const customer = await db.prisma.customer.findUnique({ where: { id } });
  if (!customer) throw new DomainError('customer_not_found', `Customer not found: ${id}`);
  const { merchantId, mode } = customer;
  const traces = await findTraces(db.prisma, customer);
  const identifiers = await findIdentifiers(db.prisma, customer, traces);
  const ids = collectIds(customer, traces);
  await eraseStoredResponses(db.prisma, { merchantId, mode, identifiers, ids, secrets: db.secrets });
  await eraseTransfers(db.prisma, traces);
  const events = await eraseEvents(db.prisma, traces);
  return { since: new Date(now.getTime() - overlapMs), events };
}

/** A refund or an invoice made meanwhile would tell of the customer as known before; it comes before this, or after it. */
async function lockPayments(tx: Tx, { id }: Customer): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM charge WHERE customer_id = ${id} ORDER BY id FOR UPDATE`;
  await tx.$queryRaw`SELECT 1 FROM subscription WHERE customer_id = ${id} ORDER BY id FOR UPDATE`;
}

/** By which an answer is known as one about the customer. */
function collectIds({ id }: Customer, { phoneVerificationIds: _, ...traces }: Traces): string[] {
  return [id, ...Object.values(traces).flat()];
}

/** Where money is still to be sent stays known until it has been sent. */
async function eraseRefunds(tx: Tx, { refundIds }: Traces): Promise<void> {
  await tx.refund.updateMany({
    where: { id: { in: refundIds }, status: { not: 'processing' } },
    data: { detailsEncrypted: null, reopenReason: null },
  });
}

/** Mail, SMS and codes are no books: they go, sent or not. Answers how many messages. */
async function eraseMessages(tx: Tx, { messageIds, phoneVerificationIds }: Traces): Promise<number> {
  await tx.phoneVerification.deleteMany({ where: { id: { in: phoneVerificationIds } } });
  const { count } = await tx.message.deleteMany({ where: { id: { in: messageIds } } });
  return count;
}

const personalColumns = { email: true, phone: true, firstName: true, lastName: true } as const;

/** By which texts a customer is known: e-mails, phones, names, as they were given. */
async function findIdentifiers(tx: Tx, customer: Customer, traces: Traces): Promise<string[]> {
  const whereIdIn = (ids: string[]) => ({ where: { id: { in: ids } } });
  const prefill = { select: { customer: true } } as const;
  const rows = [
    ...(await tx.charge.findMany({ ...whereIdIn(traces.chargeIds), select: personalColumns })),
    ...(await tx.subscription.findMany({ ...whereIdIn(traces.subscriptionIds), select: personalColumns })),
  ];
  const prefills: { customer: Prisma.JsonValue }[] = [
    ...(await tx.checkoutSession.findMany({ ...whereIdIn(traces.sessionIds), ...prefill })),
    ...(await tx.checkoutLink.findMany({ ...whereIdIn(traces.checkoutLinkIds), ...prefill })),
    ...(await tx.subscriptionLink.findMany({ ...whereIdIn(traces.subscriptionLinkIds), ...prefill })),
  ];
  const texts = [customer.email, customer.phone]
    .concat(rows.flatMap(({ email, phone, firstName, lastName }) => [email, phone, firstName, lastName]))
    .concat(prefills.flatMap((row) => Object.values(row.customer ?? {}).map(toText)));
  return [...new Set(texts)].filter((text) => text !== null && text !== '') as string[];
}

function toText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Rows that are read and written at a time. */
const batchSize = 1_000;

/** Members of event payloads that say something about a person. */
const personalFields = new Set(['email', 'phone', 'firstName', 'lastName', 'payerName']);

/** Empties payers' names and remarks. A remark keeps its nonces: by them a repeat of the same money is known. */
async function eraseTransfers(tx: Tx, { transferIds }: Traces): Promise<void> {
  for (const batchIds of splitBatches(transferIds)) {
    const rows = await tx.$queryRaw<{ id: string; reference: string }[]>`
      SELECT id, reference FROM transfer WHERE id = ANY(${batchIds}) ORDER BY id FOR NO KEY UPDATE`;
    await tx.$executeRaw`UPDATE transfer SET payer_name = NULL, reference = input.reference
      FROM unnest(${rows.map(({ id }) => id)}::text[], ${rows.map((row) => keepPaymentReferences(row.reference))}::text[])
        AS input (id, reference)
      WHERE transfer.id = input.id AND (payer_name IS NOT NULL OR transfer.reference <> input.reference)`;
  }
}

/** Empties event payloads of what says something about a person; answers how many. */
async function eraseEvents(tx: Tx, traces: Traces): Promise<number> {
  const { chargeIds, refundIds, sessionIds, transferIds, subscriptionIds, invoiceIds } = traces;
  const objectIds = [chargeIds, refundIds, sessionIds, transferIds, subscriptionIds, invoiceIds].flat();
  let erasedCount = 0;
  for (const batchIds of splitBatches(objectIds)) {
    const events = await tx.$queryRaw<{ id: string; payload: string }[]>`
      SELECT id, payload FROM event WHERE object_id = ANY(${batchIds})`;
    const changedEvents = events
      .map(({ id, payload }) => ({
        id,
        payload,
        erased: JSON.stringify(JSON.parse(payload, removePersonalData)),
      }))
      .filter((event) => event.erased !== event.payload);
    if (changedEvents.length === 0) continue;
    erasedCount += changedEvents.length;
    await tx.$executeRaw`UPDATE event SET payload = input.payload
      FROM unnest(${changedEvents.map(({ id }) => id)}::text[], ${changedEvents.map((event) => event.erased)}::text[])
        AS input (id, payload)
      WHERE event.id = input.id`;
  }
  return erasedCount;
}

/** For JSON.parse: leaves out what is personal, at any depth. `reference` is the payer's remark. */
function removePersonalData(key: string, value: unknown): unknown {
  if (personalFields.has(key)) return undefined;
  return key === 'reference' && typeof value === 'string' ? keepPaymentReferences(value) : value;
}

function keepPaymentReferences(reference: string): string {
  return getPaymentReferences({ reference }).join(' ');
}

function* splitBatches(ids: string[]): Generator<string[]> {
  for (let start = 0; start < ids.length; start += batchSize) yield ids.slice(start, start + batchSize);
}
