import type { BankFeed, FeedDelivery } from '../../../../prisma/client/client.ts';
import { transact, type UnitOfWork } from '../../../event/unit-of-work.ts';
import { FeedInputError } from '../../../feed/feed-input-error.ts';
import { type FeedContent, readFeedContent } from '../../../feed/feed-mapping.ts';
import { parseJsonDocument } from '../../../feed/json-document.ts';
import type { SystemTime } from '../../../kit/clock.ts';
import { DomainError } from '../../../kit/errors.ts';
import { processDue } from '../../../kit/process-due.ts';
import { type AuditContext, recordAudit } from '../../platform/audit/record-audit.ts';
import { merchantNow } from '../../platform/clock/merchant-now.ts';
import type { Service } from '../../platform/service.ts';
import { decryptDeliveryBody } from './decrypt-delivery.ts';
import { type OpenBankFeed, openBankFeed } from './open-bank-feed.ts';
import { type FeedItemResult, observeFeedItems, recordFeedItems } from './record-feed-items.ts';
import { schedulePoll } from './request-poll.ts';
import { recordFeedFailure, recordFeedSuccess } from './transition-bank-feed.ts';
import { type DeliveryOutcome, transitionDeliveries } from './transition-feed-delivery.ts';

/**
 * Records the transfers of a stored delivery and its outcome in one transaction. If the delivery is processed
 * again, its transfers are not recorded twice. Errors: `feed_delivery_not_found`, `bank_feed_not_found`,
 * `feed_delivery_not_processable` if its body is not stored, or if another process has changed it since it was
 * read.
 */
export async function processDelivery(
  service: Service,
  options: {
    id: string;
    now: SystemTime;
    /** Set if a user requested to process the delivery again. */
    audit?: AuditContext | undefined;
  },
): Promise<FeedDelivery> {
  const { id, now, audit } = options;
  const delivery = await service.prisma.feedDelivery.findUnique({ where: { id } });
  if (!delivery) throw new DomainError('feed_delivery_not_found', `Delivery not found: ${id}`);
  const [processed] = await processBatch(service, { deliveries: [delivery], now, audit });
  return processed!;
}

/**
 * Processes stored deliveries of one feed as `processDelivery` does, in order. They share a transaction, unless it
 * fails: then each has its own.
 */
export async function processDeliveriesOfFeed(
  service: Service,
  {
    deliveries,
    now,
    onError,
  }: { deliveries: FeedDelivery[]; now: SystemTime; onError: (error: unknown) => void },
): Promise<void> {
  const remaining = new Set(deliveries);
  const options = { batchSize: deliveries.length, failureMessage: 'some deliveries could not be processed' };
  await processDue(options, async ({ limit, excludedIds, onLocked }) => {
    const batch = [...remaining].filter(({ id }) => !excludedIds.includes(id)).slice(0, limit);
    if (batch.length === 0) return 0;
    onLocked(batch.map(({ id }) => id));
    await processBatch(service, { deliveries: batch, now });
    for (const delivery of batch) remaining.delete(delivery);
    return batch.length;
  }).catch(onError);
}

type StoredDelivery = FeedDelivery & { body: Buffer };

async function processBatch(
  service: Service,
  options: { deliveries: readonly FeedDelivery[]; now: SystemTime; audit?: AuditContext | undefined },
): Promise<FeedDelivery[]> {
  const { now, audit } = options;
  const deliveries = await Promise.all(options.deliveries.map((delivery) => readDelivery(service, delivery)));
  return transact(service, async (uow) => {
    const open = await openBankFeed(uow, deliveries[0]!.feedId);
    const outcomes = await processBodies(uow, open, { deliveries, now });
    const changes = deliveries.map((delivery, i) => ({ delivery, outcome: outcomes[i]! }));
    const updated = await transitionDeliveries(uow, changes, now);
    await recordHealthOfAll(uow, open.feed, { outcomes, now });
    // A webhook of an API only announces a transaction, which the next poll fetches.
    if (open.definition.pull && outcomes.some(({ reason }) => reason === 'no_transfers'))
      await schedulePoll(uow, open.feed, now);
    if (audit)
      for (const { id: objectId, merchantId, mode } of deliveries)
        await recordAudit(uow, { ...audit, merchantId, mode, action: 'feed_delivery.processed', objectId });
    return updated;
  });
}

async function readDelivery({ secrets }: Service, delivery: FeedDelivery): Promise<StoredDelivery> {
  const body = await decryptDeliveryBody(secrets, delivery);
  if (body === undefined || delivery.status === 'rejected')
    throw new DomainError('feed_delivery_not_processable', 'The body of the delivery is not stored');
  return { ...delivery, body };
}

async function processBodies(
  uow: UnitOfWork<Service>,
  open: OpenBankFeed,
  { deliveries, now }: { deliveries: readonly StoredDelivery[]; now: SystemTime },
): Promise<DeliveryOutcome[]> {
  const { merchant, feed } = open;
  const contents = deliveries.map((delivery) => readContent(open, delivery));
  const items = contents.flatMap((content, i) => {
    const receivedAt = merchantNow(deliveries[i]!.createdAt, merchant, feed.mode);
    return 'items' in content ? content.items.map((item) => ({ item, receivedAt })) : [];
  });
  const options = { items, now: merchantNow(now, merchant, feed.mode), systemNow: now };
  const isRecorded = feed.confirmedAt !== null;
  const results = isRecorded ? await recordFeedItems(uow, open, options) : observeFeedItems(open, options);
  return contents.map((content) =>
    'items' in content && content.items.length > 0
      ? toOutcome(results.splice(0, content.items.length), isRecorded ? 'processed' : 'observed')
      : toEmptyOutcome(content),
  );
}

type UnreadableContent = { detail: string };

export function readContent(
  { definition }: Pick<OpenBankFeed, 'definition'>,
  { body }: Pick<StoredDelivery, 'body'>,
): FeedContent | UnreadableContent {
  try {
    return readFeedContent(parseJsonDocument(body), definition.mappings);
  } catch (error) {
    if (!(error instanceof FeedInputError)) throw error;
    return { detail: error.message };
  }
}

function toEmptyOutcome(content: FeedContent | UnreadableContent): DeliveryOutcome {
  if ('detail' in content)
    return { status: 'failed', reason: 'body_unreadable', detail: content.detail, results: [] };
  return { status: 'ignored', reason: content.isTest ? 'test' : 'no_transfers', results: [] };
}

function toOutcome(results: FeedItemResult[], status: 'processed' | 'observed'): DeliveryOutcome {
  const unknown = results.find((result) => result.status === 'unknown_account');
  const invalid = results.find((result) => result.status === 'invalid');
  if (unknown)
    return { status: 'failed', reason: 'unknown_account', detail: unknown.account ?? 'none', results };
  if (invalid) return { status: 'failed', reason: 'invalid_transfer', detail: invalid.detail ?? '', results };
  return { status, results };
}

/** Updates the feed after one of its deliveries succeeded or failed. */
export async function recordHealth(
  uow: UnitOfWork<Service>,
  feed: BankFeed,
  { outcome, hasTransfers, now }: { outcome: DeliveryOutcome; hasTransfers?: boolean; now: Date },
): Promise<void> {
  const { status, reason, detail, results } = outcome;
  if (status === 'failed') {
    await recordFeedFailure(uow, feed, { error: `${reason}: ${detail}`, now });
  } else await recordFeedSuccess(uow, feed, { hasTransfers: hasTransfers ?? results.length > 0, now });
}

/** Records failures last, so that a success in the same batch does not hide them. */
async function recordHealthOfAll(
  uow: UnitOfWork<Service>,
  feed: BankFeed,
  { outcomes, now }: { outcomes: readonly DeliveryOutcome[]; now: Date },
): Promise<void> {
  const { failed = [], successful = [] } = Object.groupBy(outcomes, ({ status }) =>
    status === 'failed' ? 'failed' : 'successful',
  );
  const hasTransfers = successful.some(({ results }) => results.length > 0);
  if (successful[0]) await recordHealth(uow, feed, { outcome: successful[0], hasTransfers, now });
  for (const outcome of failed) await recordHealth(uow, feed, { outcome, now });
}
