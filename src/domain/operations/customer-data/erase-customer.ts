import { type Customer, Prisma } from '../../../../prisma/client/client.ts';
import { announceChange } from '../../../event/announce-change.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Db, Tx } from '../../../kit/db.ts';
import { minuteMs } from '../../../kit/duration.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { Secrets } from '../../../kit/secrets.ts';
import { noncesOf } from '../../payments/allocation/nonces-of.ts';
import { lockCustomer } from '../../payments/customer/lock-customer.ts';
import { deleteExports } from '../../payouts/export/delete-exports.ts';
import { eraseKeptAnswers } from './erase-kept-answers.ts';
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
  const before = await eraseBefore(db, options);
  return transact(db, async (uow) => {
    const { tx } = uow;
    const customer = await lockCustomer(tx, options.id);
    await lockPayments(tx, customer);
    const traces = await findTraces(tx, customer);
    const { chargeIds, sessionIds, checkoutLinkIds } = traces;
    const words = await findWords(tx, customer, traces);
    const { merchantId, mode } = customer;
    await tx.customer.update({
      where: { id: customer.id },
      data: { email: null, phone: null, updatedAt: options.now },
    });
    const names = { email: null, phone: null, firstName: null, lastName: null };
    await tx.charge.updateMany({ where: { customerId: customer.id }, data: names });
    const startedIds = [...chargeIds, ...traces.subscriptionIds];
    await tx.checkoutSlot.deleteMany({ where: { objectId: { in: startedIds } } });
    await eraseRefunds(tx, traces);
    const noPrefill = { customer: Prisma.DbNull };
    await tx.checkoutSession.updateMany({ where: { id: { in: sessionIds } }, data: noPrefill });
    await tx.checkoutLink.updateMany({ where: { id: { in: checkoutLinkIds } }, data: noPrefill });
    await tx.subscription.updateMany({ where: { id: { in: traces.subscriptionIds } }, data: names });
    const linkIds = traces.subscriptionLinkIds;
    await tx.subscriptionLink.updateMany({ where: { id: { in: linkIds } }, data: noPrefill });
    await eraseTransfers(tx, traces);
    // Files made from what was known go whole: they can be made again, without the customer.
    await deleteExports(tx, { merchantId, mode });
    const messages = await eraseSent(tx, traces);
    const events = before.events + (await eraseEvents(tx, traces));
    const kept = { merchantId, mode, words, ids: idsOf(customer, traces), secrets: db.secrets };
    await eraseKeptAnswers(tx, { ...kept, since: before.since });
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
async function eraseBefore(
  db: Db & { secrets: Secrets },
  { id, now }: { id: string; now: Date },
): Promise<{ since: Date; events: number }> {
  const customer = await db.prisma.customer.findUnique({ where: { id } });
  if (!customer) throw new DomainError('customer_not_found', `Customer not found: ${id}`);
  const { merchantId, mode } = customer;
  const traces = await findTraces(db.prisma, customer);
  const words = await findWords(db.prisma, customer, traces);
  const ids = idsOf(customer, traces);
  await eraseKeptAnswers(db.prisma, { merchantId, mode, words, ids, secrets: db.secrets });
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
function idsOf({ id }: Customer, { phoneVerificationIds: _, ...traces }: Traces): string[] {
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
async function eraseSent(tx: Tx, { messageIds, phoneVerificationIds }: Traces): Promise<number> {
  await tx.phoneVerification.deleteMany({ where: { id: { in: phoneVerificationIds } } });
  const { count } = await tx.message.deleteMany({ where: { id: { in: messageIds } } });
  return count;
}

const columns = { email: true, phone: true, firstName: true, lastName: true } as const;

/** By which texts a customer is known: e-mails, phones, names, as they were given. */
async function findWords(tx: Tx, customer: Customer, traces: Traces): Promise<string[]> {
  const among = (ids: string[]) => ({ where: { id: { in: ids } } });
  const prefill = { select: { customer: true } } as const;
  const rows = [
    ...(await tx.charge.findMany({ ...among(traces.chargeIds), select: columns })),
    ...(await tx.subscription.findMany({ ...among(traces.subscriptionIds), select: columns })),
  ];
  const prefills: { customer: Prisma.JsonValue }[] = [
    ...(await tx.checkoutSession.findMany({ ...among(traces.sessionIds), ...prefill })),
    ...(await tx.checkoutLink.findMany({ ...among(traces.checkoutLinkIds), ...prefill })),
    ...(await tx.subscriptionLink.findMany({ ...among(traces.subscriptionLinkIds), ...prefill })),
  ];
  const texts = [customer.email, customer.phone]
    .concat(rows.flatMap(({ email, phone, firstName, lastName }) => [email, phone, firstName, lastName]))
    .concat(prefills.flatMap((row) => Object.values(row.customer ?? {}).map(textOf)));
  return [...new Set(texts)].filter((text) => text !== null && text !== '') as string[];
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Rows that are read and written at a time. */
const batch = 1_000;

/** Members of event payloads that say something about a person. */
const personal = new Set(['email', 'phone', 'firstName', 'lastName', 'payerName']);

/** Empties payers' names and remarks. A remark keeps its nonces: by them a repeat of the same money is known. */
async function eraseTransfers(tx: Tx, { transferIds }: Traces): Promise<void> {
  for (const some of batches(transferIds)) {
    const rows = await tx.$queryRaw<{ id: string; reference: string }[]>`
      SELECT id, reference FROM transfer WHERE id = ANY(${some}) ORDER BY id FOR NO KEY UPDATE`;
    await tx.$executeRaw`UPDATE transfer SET payer_name = NULL, reference = given.reference
      FROM unnest(${rows.map(({ id }) => id)}::text[], ${rows.map((row) => noncesOnly(row.reference))}::text[])
        AS given (id, reference)
      WHERE transfer.id = given.id AND (payer_name IS NOT NULL OR transfer.reference <> given.reference)`;
  }
}

/** Empties event payloads of what says something about a person; answers how many. */
async function eraseEvents(tx: Tx, traces: Traces): Promise<number> {
  const { chargeIds, refundIds, sessionIds, transferIds, subscriptionIds, invoiceIds } = traces;
  const objectIds = [chargeIds, refundIds, sessionIds, transferIds, subscriptionIds, invoiceIds].flat();
  let changed = 0;
  for (const some of batches(objectIds)) {
    const events = await tx.$queryRaw<{ id: string; payload: string }[]>`
      SELECT id, payload FROM event WHERE object_id = ANY(${some})`;
    const bare = events
      .map(({ id, payload }) => ({ id, payload, bare: JSON.stringify(JSON.parse(payload, withoutPerson)) }))
      .filter((event) => event.bare !== event.payload);
    if (bare.length === 0) continue;
    changed += bare.length;
    await tx.$executeRaw`UPDATE event SET payload = given.payload
      FROM unnest(${bare.map(({ id }) => id)}::text[], ${bare.map((event) => event.bare)}::text[])
        AS given (id, payload)
      WHERE event.id = given.id`;
  }
  return changed;
}

/** For JSON.parse: leaves out what is personal, at any depth. `reference` is the payer's remark. */
function withoutPerson(key: string, value: unknown): unknown {
  if (personal.has(key)) return undefined;
  return key === 'reference' && typeof value === 'string' ? noncesOnly(value) : value;
}

function noncesOnly(reference: string): string {
  return noncesOf({ reference }).join(' ');
}

function* batches(ids: string[]): Generator<string[]> {
  for (let at = 0; at < ids.length; at += batch) yield ids.slice(at, at + batch);
}
