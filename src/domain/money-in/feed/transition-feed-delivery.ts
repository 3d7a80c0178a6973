import type { FeedDelivery, FeedDeliveryStatus, Prisma } from '../../../../prisma/client/client.ts';
import { announceChange } from '../../../event/announce-change.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import { DomainError } from '../../../kit/errors.ts';
import { toRowsJson } from '../../../kit/insert-rows.ts';
import { toStorableText } from '../../../kit/text.ts';
import { feedDeliveryTransitions, listDeliverySources } from './bank-feed-state.ts';
import type { FeedItemResult } from './record-feed-items.ts';

export type DeliveryOutcome = {
  status: FeedDeliveryStatus;
  reason?: string;
  detail?: string;
  results: FeedItemResult[];
};

/**
 * Writes the outcomes of processed deliveries. Throws `feed_delivery_not_processable` if another process has
 * changed one of them, its content is not stored, or a transition is not allowed.
 */
export async function transitionDeliveries(
  uow: UnitOfWork,
  changes: readonly { delivery: FeedDelivery; outcome: DeliveryOutcome }[],
  now: Date,
): Promise<FeedDelivery[]> {
  const rows = changes.map(({ delivery, outcome }) => toProcessedDelivery(delivery, outcome, now));
  const allowed = changes.filter(({ delivery, outcome }) =>
    feedDeliveryTransitions[delivery.status].includes(outcome.status),
  );
  const previous = allowed.map(({ delivery: { id, status, attemptCount } }) => ({
    id,
    status,
    attemptCount,
  }));
  const current = rows.map(({ id, status, reason, detail, results, transferIds }) => ({
    id,
    status,
    reason,
    detail,
    results,
    transferIds,
  }));
  const count = await uow.tx.$executeRaw`
    UPDATE feed_delivery SET status = changed.status, reason = changed.reason, detail = changed.detail,
      results = changed.results, transfer_ids = changed.transfer_ids, next_attempt_at = NULL, processed_at = ${now},
      attempt_count = feed_delivery.attempt_count + 1
    FROM json_populate_recordset(NULL::feed_delivery, ${toRowsJson(current)}::json) AS changed
    JOIN json_populate_recordset(NULL::feed_delivery, ${toRowsJson(previous)}::json) AS previous USING (id)
    WHERE feed_delivery.id = changed.id AND feed_delivery.status = previous.status
      AND feed_delivery.attempt_count = previous.attempt_count
      AND (feed_delivery.file_name IS NOT NULL OR feed_delivery.body_encrypted IS NOT NULL)`;
  if (count < rows.length)
    throw new DomainError(
      'feed_delivery_not_processable',
      'The delivery was changed at the same time: try again',
    );
  for (const { id: objectId, merchantId, mode } of rows) announceChange(uow, { objectId, merchantId, mode });
  return rows;
}

function toProcessedDelivery(
  delivery: FeedDelivery,
  { status, reason, detail, results }: DeliveryOutcome,
  now: Date,
): FeedDelivery {
  const ids = [...delivery.transferIds, ...results.flatMap(({ transferId }) => transferId ?? [])];
  return {
    ...delivery,
    status,
    reason: reason ?? null,
    detail: detail === undefined ? null : toStorableText(detail),
    results: results as FeedDelivery['results'],
    transferIds: [...new Set(ids)],
    attemptCount: delivery.attemptCount + 1,
    nextAttemptAt: null,
    processedAt: now,
  };
}

/**
 * Queues deliveries for a worker, except those whose body is not stored, such as files. Returns the queued
 * deliveries.
 */
export function queueDeliveries(
  { tx }: UnitOfWork,
  where: Prisma.FeedDeliveryWhereInput,
  now: Date,
): Promise<FeedDelivery[]> {
  return tx.feedDelivery.updateManyAndReturn({
    where: {
      AND: [where, { status: { in: listDeliverySources('received') }, bodyEncrypted: { not: null } }],
    },
    data: { status: 'received', nextAttemptAt: now, attemptCount: 0, reason: null, detail: null },
  });
}

type Attempt = Pick<FeedDelivery, 'id' | 'attemptCount'> & { reason: string; detail: string };

/**
 * Records why a claimed delivery could not be processed, and when a worker tries again; without
 * `nextAttemptAt`, the delivery is `failed`. Returns false if another process has changed it.
 */
export async function postponeDelivery(
  { tx }: UnitOfWork,
  { id, attemptCount, reason, detail }: Attempt,
  { nextAttemptAt, now }: { nextAttemptAt: Date | null; now: Date },
): Promise<boolean> {
  const { count } = await tx.feedDelivery.updateMany({
    where: { id, status: 'received', attemptCount },
    data: {
      ...(nextAttemptAt ? { status: 'received' } : { status: 'failed', processedAt: now }),
      nextAttemptAt,
      reason,
      detail: toStorableText(detail),
    },
  });
  return count > 0;
}

/** Ignores the failed deliveries of a file that were to be fetched again, because another delivery replaces them. */
export async function ignoreReplacedFiles(
  { tx }: UnitOfWork,
  { feedId, fileName }: Pick<FeedDelivery, 'feedId' | 'fileName'>,
): Promise<void> {
  await tx.feedDelivery.updateMany({
    where: { feedId, fileName, fileModifiedAt: null, status: 'failed' },
    data: { status: 'ignored', reason: 'fetched_again', detail: null },
  });
}
