import type { BankFeed, FeedDelivery, FeedDeliveryStatus, Prisma } from '../../../../prisma/client/client.ts';
import { announceChange } from '../../../event/announce-change.ts';
import { transact, type UnitOfWork } from '../../../event/unit-of-work.ts';
import { FeedFormatError } from '../../../feed/feed-format-error.ts';
import { type FeedContent, readFeedContent } from '../../../feed/feed-mapping.ts';
import { parseJsonDocument } from '../../../feed/json-document.ts';
import type { SystemTime } from '../../../kit/clock.ts';
import { DomainError } from '../../../kit/errors.ts';
import { type AuditContext, recordAudit } from '../../platform/audit/record-audit.ts';
import { merchantNow } from '../../platform/clock/merchant-now.ts';
import type { Service } from '../../platform/service.ts';
import { feedDeliveryTransitions } from './bank-feed-state.ts';
import { decryptDeliveryBody } from './decrypt-delivery.ts';
import { type OpenBankFeed, openBankFeed } from './open-bank-feed.ts';
import { type FeedItemResult, observeFeedItems, recordFeedItems } from './record-feed-items.ts';
import { schedulePoll } from './request-poll.ts';
import { recordFeedFailure, recordFeedSuccess } from './transition-bank-feed.ts';

/** What became of a delivery. */
export type DeliveryOutcome = {
  status: FeedDeliveryStatus;
  reason?: string;
  detail?: string;
  results: FeedItemResult[];
};

type ProcessOptions = {
  id: string;
  now: SystemTime;
  /** Only if the merchant has the delivery processed again. */
  audit?: AuditContext | undefined;
};

/**
 * Records the transfers of a stored delivery, and what became of it, in one transaction. A repeat changes
 * nothing but the result. Errors: `feed_delivery_not_found`, `feed_delivery_not_processable` if its body is
 * not stored, or if another process has changed it since it was read.
 */
export async function processDelivery(service: Service, options: ProcessOptions): Promise<FeedDelivery> {
  const { id, now, audit } = options;
  const delivery = await service.prisma.feedDelivery.findUnique({ where: { id } });
  if (!delivery) throw new DomainError('feed_delivery_not_found', `Delivery not found: ${id}`);
  const body = await decryptDeliveryBody(service.secrets, delivery);
  if (body === undefined || delivery.status === 'rejected')
    throw new DomainError('feed_delivery_not_processable', 'The body of the delivery is not stored');
  return transact(service, async (uow) => {
    const open = await openBankFeed(uow, delivery.feedId);
    const outcome = await processBody(uow, open, { delivery, body, now });
    const updated = await transitionDelivery(uow, delivery, outcome, now);
    await recordHealth(uow, open.feed, { outcome, now });
    // A webhook of an API only announces what the next poll fetches.
    if (open.definition.pull && outcome.reason === 'no_transfers') await schedulePoll(uow, open.feed, now);
    if (audit) {
      const { merchantId, mode } = delivery;
      await recordAudit(uow, { ...audit, merchantId, mode, action: 'feed_delivery.processed', objectId: id });
    }
    return updated;
  });
}

async function processBody(
  uow: UnitOfWork<Service>,
  open: OpenBankFeed,
  { delivery, body, now }: { delivery: FeedDelivery; body: Buffer; now: SystemTime },
): Promise<DeliveryOutcome> {
  let content: FeedContent;
  try {
    content = readFeedContent(parseJsonDocument(body), open.definition.mappings);
  } catch (error) {
    if (!(error instanceof FeedFormatError)) throw error;
    return { status: 'failed', reason: 'body_unreadable', detail: error.message, results: [] };
  }
  const { items, isTest } = content;
  if (items.length === 0) return { status: 'ignored', reason: isTest ? 'test' : 'no_transfers', results: [] };
  const { merchant, feed } = open;
  const times = {
    receivedAt: merchantNow(delivery.createdAt, merchant, feed.mode),
    now: merchantNow(now, merchant, feed.mode),
  };
  const isRecorded = feed.confirmedAt !== null;
  const results = isRecorded
    ? await recordFeedItems(uow, open, { items, ...times })
    : observeFeedItems(open, { items, ...times });
  return toOutcome(results, isRecorded ? 'processed' : 'observed');
}

function toOutcome(results: FeedItemResult[], status: 'processed' | 'observed'): DeliveryOutcome {
  const unknown = results.find((one) => one.status === 'unknown_account');
  const invalid = results.find((one) => one.status === 'invalid');
  if (unknown)
    return { status: 'failed', reason: 'unknown_account', detail: unknown.account ?? 'none', results };
  if (invalid) return { status: 'failed', reason: 'invalid_transfer', detail: invalid.detail ?? '', results };
  return { status, results };
}

/** Writes the outcome; no other code changes the status of a processed delivery. */
export async function transitionDelivery(
  uow: UnitOfWork,
  delivery: FeedDelivery,
  { status, reason, detail, results }: DeliveryOutcome,
  now: Date,
): Promise<FeedDelivery> {
  const { id, merchantId, mode, attemptCount } = delivery;
  const ids = [...delivery.transferIds, ...results.flatMap(({ transferId }) => transferId ?? [])];
  const data: Prisma.FeedDeliveryUpdateManyMutationInput = {
    status,
    reason: reason ?? null,
    detail: detail ?? null,
    results: JSON.parse(JSON.stringify(results)),
    transferIds: [...new Set(ids)],
    attemptCount: attemptCount + 1,
    nextAttemptAt: null,
    processedAt: now,
  };
  const isAllowed = feedDeliveryTransitions[delivery.status].includes(status);
  const [updated] = isAllowed
    ? await uow.tx.feedDelivery.updateManyAndReturn({
        where: {
          ...{ id, status: delivery.status, attemptCount },
          ...(delivery.fileName === null && { bodyEncrypted: { not: null } }),
        },
        data,
      })
    : [];
  if (!updated)
    throw new DomainError(
      'feed_delivery_not_processable',
      'The delivery was changed at the same time: try again',
    );
  announceChange(uow, { objectId: id, merchantId, mode });
  return updated;
}

/** Records what the outcome of a delivery means for its feed. */
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
