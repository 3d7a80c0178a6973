import type { BankFeed } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Db } from '../../../kit/db.ts';
import { DomainError, invalidInputError } from '../../../kit/errors.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';
import { type AuditContext, recordAudit } from '../../platform/audit/record-audit.ts';
import { getBankFeedTrust, lockBankFeed } from './open-bank-feed.ts';
import { queueDeliveries } from './transition-feed-delivery.ts';

/**
 * Confirms that an observed delivery reports a real payment correctly. From now on, the feed records transfers,
 * including those of the observed deliveries. Errors: `bank_feed_not_found`, `feed_delivery_not_found`,
 * `invalid_request` for a delivery that was not observed, `bank_feed_unauthenticated` if anyone could have sent
 * it.
 */
export async function confirmBankFeed(
  db: Db,
  options: ScopedId & AuditContext & { deliveryId: string },
): Promise<BankFeed> {
  const { merchantId, mode, id, deliveryId, actor, ipAddress, now } = options;
  return transact(db, async (uow) => {
    const before = await lockBankFeed(uow.tx, options);
    if (getBankFeedTrust(before) === 'none')
      throw new DomainError(
        'bank_feed_unauthenticated',
        'Anyone who knows the URL could send deliveries to this feed; enter the credentials of the bank’s API first',
      );
    const delivery = await uow.tx.feedDelivery.findFirst({ where: { id: deliveryId, feedId: id } });
    if (!delivery) throw new DomainError('feed_delivery_not_found', `Delivery not found: ${deliveryId}`);
    const isConfirmable = before.confirmedAt !== null || delivery.status === 'observed';
    if (!isConfirmable) throw invalidInputError('/deliveryId', 'must be a delivery that was observed');
    const confirmedAt = before.confirmedAt ?? now;
    const feed = await uow.tx.bankFeed.update({ where: { id }, data: { confirmedAt, updatedAt: now } });
    await queueDeliveries(uow, { feedId: id, status: 'observed' }, now);
    const entry = { merchantId, mode, actor, ipAddress, objectId: id, detail: { deliveryId }, now };
    await recordAudit(uow, { ...entry, action: 'bank_feed.confirmed' });
    return feed;
  });
}
