import type { FeedDeliveryStatus } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';

/** Makes a worker process the deliveries of a feed with this status that are still stored. */
export async function queueDeliveries(
  uow: UnitOfWork,
  { feedId, status, now }: { feedId: string; status: FeedDeliveryStatus; now: Date },
): Promise<void> {
  await uow.tx.feedDelivery.updateMany({
    where: { feedId, status, bodyEncrypted: { not: null } },
    data: { status: 'received', nextAttemptAt: now, attemptCount: 0, reason: null, detail: null },
  });
}
