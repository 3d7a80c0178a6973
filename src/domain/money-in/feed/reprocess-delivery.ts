import type { FeedDelivery } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';
import { type AuditContext, recordAudit } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import { openBankFeed } from './open-bank-feed.ts';
import { processDelivery } from './process-delivery.ts';
import { schedulePoll } from './request-poll.ts';
import { queueDeliveries } from './transition-feed-delivery.ts';

/**
 * Processes a delivery of the merchant again. Payments that the bank's API must confirm are queued for a worker,
 * which requests the confirmation again. A file is fetched again by the next poll. Errors:
 * `feed_delivery_not_found`, `bank_feed_not_found` for a deleted feed, `feed_delivery_not_processable`.
 */
export async function reprocessDelivery(
  service: Service,
  options: ScopedId & AuditContext,
): Promise<FeedDelivery> {
  const { merchantId, mode, id, actor, ipAddress, now } = options;
  const where = { id, merchantId, mode };
  const delivery = await service.prisma.feedDelivery.findFirst({ where });
  if (!delivery) throw new DomainError('feed_delivery_not_found', `Delivery not found: ${id}`);
  const { feed, definition } = await openBankFeed(service, delivery.feedId);
  const audit = { actor, ipAddress, now };
  const entry = { ...audit, merchantId, mode, action: 'feed_delivery.processed', objectId: id } as const;
  if (delivery.fileName !== null)
    return transact(service, async (uow) => {
      const data = { fileModifiedAt: null };
      const updated = await uow.tx.feedDelivery.update({ where: { id }, data });
      await schedulePoll(uow, feed, now);
      await recordAudit(uow, entry);
      return updated;
    });
  if (definition.confirmation === undefined || feed.confirmedAt === null)
    return processDelivery(service, { id, now, audit });
  return transact(service, async (uow) => {
    const [queued] = await queueDeliveries(uow, where, now);
    if (!queued)
      throw new DomainError('feed_delivery_not_processable', 'The body of the delivery is not stored');
    await recordAudit(uow, entry);
    return queued;
  });
}
