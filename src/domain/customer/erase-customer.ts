import { type Customer, Prisma } from '../../../prisma/client/client.ts';
import { announceChange } from '../../event/announce-change.ts';
import { transact } from '../../event/unit-of-work.ts';
import type { Db, Tx } from '../../kit/db.ts';
import { minuteMs } from '../../kit/duration.ts';
import { DomainError } from '../../kit/errors.ts';
import type { Secrets } from '../../kit/secrets.ts';
import { deleteExports } from '../export/delete-exports.ts';
import { eraseKeptAnswers } from './erase-kept-answers.ts';
import { eraseEvents, eraseTransfers } from './erase-texts.ts';
import { findTraces, type Traces } from './find-traces.ts';
import { findWords } from './find-words.ts';
import { lockCustomer } from './lock-customer.ts';

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
  if (!customer) throw new DomainError('customer_not_found', `There is no customer ${id}`);
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
