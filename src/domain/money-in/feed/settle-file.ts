import type { FeedDelivery } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import { secondMs } from '../../../kit/duration.ts';
import type { Service } from '../../platform/service.ts';
import { type DeliveryOutcome, recordHealth, transitionDelivery } from './process-delivery.ts';

/** How often to check whether the imports of a file have finished. */
const checkIntervalMs = 3 * secondMs;

/** Records the outcome of a fetched file once its imports have finished. */
export async function settleFile(
  service: Service,
  { delivery, now }: { delivery: FeedDelivery; now: Date },
): Promise<void> {
  const { id, feedId, attemptCount } = delivery;
  await transact(service, async (uow) => {
    const statements = await uow.tx.statement.findMany({ where: { id: { in: delivery.statementIds } } });
    if (statements.some(({ status }) => status === 'queued' || status === 'running')) {
      const nextAttemptAt = new Date(now.getTime() + checkIntervalMs);
      await uow.tx.feedDelivery.updateMany({
        where: { id, status: 'received', attemptCount },
        data: { nextAttemptAt, attemptCount: 0 },
      });
      return;
    }
    const failed = statements.find(({ status }) => status === 'failed');
    const detail = failed && `line ${failed.errorLine ?? 1}: ${failed.errorReason ?? ''}`;
    const outcome: DeliveryOutcome = failed
      ? { status: 'failed', reason: 'import_failed', detail: detail ?? '', results: [] }
      : { status: 'processed', results: [] };
    await transitionDelivery(uow, delivery, outcome, now);
    const feed = await uow.tx.bankFeed.findUniqueOrThrow({ where: { id: feedId } });
    const hasTransfers = statements.some(({ entryCount }) => (entryCount ?? 0) > 0);
    await recordHealth(uow, feed, { outcome, hasTransfers, now });
  });
}
