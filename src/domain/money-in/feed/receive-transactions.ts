import { hash } from 'node:crypto';
import type { FetchedTransaction } from '../../../feed/pull/transaction-source.ts';
import type { Clock } from '../../../kit/clock.ts';
import { minuteMs } from '../../../kit/duration.ts';
import { newOrderedId } from '../../../kit/id.ts';
import type { Service } from '../../platform/service.ts';
import type { OpenBankFeed } from './open-bank-feed.ts';
import { processDelivery } from './process-delivery.ts';

/** If the process ends before it has processed a transaction, a worker does so after this time. */
const takeoverMs = minuteMs;

type ReceiveOptions = {
  transactions: readonly FetchedTransaction[];
  clock: Clock;
  onError: (error: Error) => void;
};

/**
 * Stores each new transaction as a delivery, and records it. A transaction with changed content is stored
 * again, and recognized as a duplicate by its ID. Returns the IDs of the new deliveries.
 */
export async function receiveTransactions(
  service: Service,
  { feed }: Pick<OpenBankFeed, 'feed'>,
  { transactions, clock, onError }: ReceiveOptions,
): Promise<string[]> {
  const bodies = new Map(
    transactions.map((transaction) => {
      const body = Buffer.from(JSON.stringify(transaction));
      return [hash('sha256', body, 'hex'), body];
    }),
  );
  const known = await service.prisma.feedDelivery.findMany({
    where: { feedId: feed.id, bodyHash: { in: [...bodies.keys()] } },
    select: { bodyHash: true },
  });
  for (const { bodyHash } of known) bodies.delete(bodyHash);
  const ids: string[] = [];
  for (const [bodyHash, body] of bodies) {
    const id = await storeTransaction(service, feed, { bodyHash, body, now: clock.now() });
    await processDelivery(service, { id, now: clock.now() }).catch((error) => onError(error));
    ids.push(id);
  }
  return ids;
}

async function storeTransaction(
  { prisma, secrets }: Service,
  { id: feedId, merchantId, mode }: OpenBankFeed['feed'],
  { bodyHash, body, now }: { bodyHash: string; body: Buffer; now: Date },
): Promise<string> {
  const id = newOrderedId('feedDelivery', now);
  await prisma.feedDelivery.create({
    data: {
      id,
      merchantId,
      mode,
      feedId,
      status: 'received',
      size: body.length,
      bodyHash,
      bodyEncrypted: secrets.encrypt(body.toString('base64'), 'feed_delivery.body_encrypted', id),
      createdAt: now,
      nextAttemptAt: new Date(now.getTime() + takeoverMs),
    },
  });
  return id;
}
