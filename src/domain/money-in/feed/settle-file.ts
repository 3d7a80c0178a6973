import type { FeedDelivery, Statement } from '../../../../prisma/client/client.ts';
import { transact, type UnitOfWork } from '../../../event/unit-of-work.ts';
import { minuteMs, secondMs } from '../../../kit/duration.ts';
import type { Service } from '../../platform/service.ts';
import { recordHealth } from './process-delivery.ts';
import { recordFeedFailure } from './transition-bank-feed.ts';
import { type DeliveryOutcome, transitionDeliveries } from './transition-feed-delivery.ts';

/** How often to check whether the imports of a file have finished. */
const checkIntervalMs = 3 * secondMs;
/** How often to check while a person has to confirm or cancel an import. */
const confirmationIntervalMs = minuteMs;

/**
 * Records the outcome of a fetched file once its imports have finished. A file that does not match its control totals
 * alerts the merchant, because nothing of it is recorded until a person confirms its import.
 */
export async function settleFile(
  service: Service,
  { delivery, now }: { delivery: FeedDelivery; now: Date },
): Promise<void> {
  await transact(service, async (uow) => {
    const statements = await uow.tx.statement.findMany({ where: { id: { in: delivery.statementIds } } });
    if (statements.some(({ status }) => status === 'queued' || status === 'running'))
      return void (await checkLater(uow, delivery, { at: new Date(now.getTime() + checkIntervalMs) }));
    const feed = await uow.tx.bankFeed.findUniqueOrThrow({ where: { id: delivery.feedId } });
    if (statements.some(({ status }) => status === 'awaiting_confirmation')) {
      const at = new Date(now.getTime() + confirmationIntervalMs);
      const isChanged = await checkLater(uow, delivery, { at, reason: 'confirmation_needed' });
      const error = `confirmation_needed: ${delivery.fileName}`;
      if (isChanged && delivery.reason !== 'confirmation_needed')
        await recordFeedFailure(uow, feed, { error, now });
      return;
    }
    const outcome = toOutcome(statements);
    await transitionDeliveries(uow, [{ delivery, outcome }], now);
    const hasTransfers = statements.some(({ entryCount }) => (entryCount ?? 0) > 0);
    await recordHealth(uow, feed, { outcome, hasTransfers, now });
  });
}

/** Schedules the next check. Returns false if another process has changed the delivery. */
async function checkLater(
  { tx }: UnitOfWork,
  { id, attemptCount }: FeedDelivery,
  { at, reason = null }: { at: Date; reason?: string | null },
): Promise<boolean> {
  const { count } = await tx.feedDelivery.updateMany({
    where: { id, status: 'received', attemptCount },
    data: { nextAttemptAt: at, attemptCount: 0, reason },
  });
  return count > 0;
}

function toOutcome(statements: readonly Statement[]): DeliveryOutcome {
  const failed = statements.find(({ status }) => status === 'failed');
  if (failed) {
    const detail = `line ${failed.errorLine ?? 1}: ${failed.failureReason ?? ''}`;
    return { status: 'failed', reason: 'import_failed', detail, results: [] };
  }
  const isCancelled = statements.every(({ status }) => status === 'cancelled');
  return isCancelled
    ? { status: 'ignored', reason: 'import_cancelled', results: [] }
    : { status: 'processed', results: [] };
}
