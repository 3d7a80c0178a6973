import { Prisma } from '../../../prisma/client/client.ts';
import { announceChange } from '../../event/announce-change.ts';
import { type Db, type Tx, transact } from '../../kit/db.ts';
import type { Secrets } from '../../kit/secrets.ts';
import { findNonces, foldReference } from '../../method/nonce.ts';
import { deleteExports } from '../export/delete-exports.ts';
import { eraseKeptAnswers } from './erase-kept-answers.ts';
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

/** Members of event payloads that say something about a person. */
const personal = new Set(['email', 'phone', 'firstName', 'lastName', 'payerName']);

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
  return transact(db, async (tx) => {
    const customer = await lockCustomer(tx, options.id);
    const traces = await findTraces(tx, customer);
    const { chargeIds, sessionIds, checkoutLinkIds } = traces;
    const words = await findWords(tx, customer, traces);
    const { merchantId, mode } = customer;
    await eraseKeptAnswers(tx, { merchantId, mode, words, secrets: db.secrets });
    await tx.customer.update({
      where: { id: customer.id },
      data: { email: null, phone: null, updatedAt: options.now },
    });
    const names = { email: null, phone: null, firstName: null, lastName: null };
    await tx.charge.updateMany({ where: { id: { in: chargeIds } }, data: names });
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
    const events = await eraseEvents(tx, traces);
    const { refundIds, subscriptionIds } = traces;
    for (const objectId of [...chargeIds, ...refundIds, ...sessionIds, ...subscriptionIds])
      announceChange(tx, { objectId, merchantId, mode });
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

/** Where money is still to be sent stays known until it has been sent. */
async function eraseRefunds(tx: Tx, { refundIds }: Traces): Promise<void> {
  await tx.refund.updateMany({
    where: { id: { in: refundIds }, status: { not: 'processing' } },
    data: { detailsSealed: null, reopenReason: null },
  });
}

/** Mail, SMS and codes are no books: they go, sent or not. Answers how many messages. */
async function eraseSent(tx: Tx, { messageIds, phoneVerificationIds }: Traces): Promise<number> {
  await tx.phoneVerification.deleteMany({ where: { id: { in: phoneVerificationIds } } });
  const { count } = await tx.message.deleteMany({ where: { id: { in: messageIds } } });
  return count;
}

/** A remark keeps its nonces: by them a repeat of the same money is known. */
async function eraseTransfers(tx: Tx, { transferIds }: Traces): Promise<void> {
  const transfers = await tx.transfer.findMany({
    where: { id: { in: transferIds } },
    select: { id: true, reference: true },
  });
  for (const { id, reference } of transfers) {
    await tx.transfer.update({ where: { id }, data: { payerName: null, reference: noncesOnly(reference) } });
  }
}

async function eraseEvents(tx: Tx, traces: Traces): Promise<number> {
  const { chargeIds, refundIds, sessionIds, transferIds, subscriptionIds, invoiceIds } = traces;
  const objectIds = [chargeIds, refundIds, sessionIds, transferIds, subscriptionIds, invoiceIds].flat();
  const events = await tx.event.findMany({
    where: { objectId: { in: objectIds } },
    select: { id: true, payload: true },
  });
  let changed = 0;
  for (const { id, payload } of events) {
    const bare = JSON.stringify(JSON.parse(payload, withoutPerson));
    if (bare === payload) continue;
    await tx.event.update({ where: { id }, data: { payload: bare } });
    changed++;
  }
  return changed;
}

/** For JSON.parse: leaves out what is personal, at any depth. `reference` is the payer's remark. */
function withoutPerson(key: string, value: unknown): unknown {
  if (personal.has(key)) return undefined;
  return key === 'reference' && typeof value === 'string' ? noncesOnly(value) : value;
}

function noncesOnly(reference: string): string {
  return findNonces(foldReference(reference)).join(' ');
}
