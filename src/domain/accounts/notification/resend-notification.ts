import type { Notification } from '../../../../prisma/client/client.ts';
import { announceChange } from '../../../event/announce-change.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Db } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import { isLeaseActive } from '../../../kit/lease.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';
import { type Audited, recordAudit } from '../../platform/audit/record-audit.ts';

/**
 * Queues a notification to be sent immediately, regardless of its status, with the same `webhook-id` and the full
 * retry schedule. If an attempt is in progress, the notification does not change. Throws `notification_not_found`,
 * `webhook_disabled`, or `webhook_not_found` if the webhook was deleted.
 */
export async function resendNotification(
  db: Db,
  options: ScopedId & Audited & { now: Date },
): Promise<Notification> {
  const { merchantId, mode, id, now, audit } = options;
  return transact(db, async (uow) => {
    const { tx } = uow;
    await tx.$queryRaw`SELECT 1 FROM notification
      WHERE id = ${id} AND merchant_id = ${merchantId} AND mode = ${mode}::mode FOR UPDATE`;
    const notification = await tx.notification.findFirst({
      where: { id, merchantId, mode },
      include: { webhook: true, event: { select: { test: true } } },
    });
    if (!notification) throw new DomainError('notification_not_found', `Notification not found: ${id}`);
    const { webhook, event, status, leasedUntil, attemptCount } = notification;
    if (webhook?.deletedAt)
      throw new DomainError('webhook_not_found', 'The webhook of the notification was deleted');
    if (webhook?.disabledAt && !event.test) throw new DomainError('webhook_disabled');
    const isAttemptInProgress = status === 'pending' && isLeaseActive(leasedUntil, now);
    if (audit)
      await recordAudit(uow, { ...audit, merchantId, mode, action: 'notification.resent', objectId: id });
    announceChange(uow, { objectId: id, merchantId, mode });
    return tx.notification.update({
      where: { id },
      data: isAttemptInProgress
        ? {}
        : {
            status: 'pending',
            nextAttemptAt: now,
            leasedUntil: null,
            finishedAt: null,
            attemptCountAtReset: attemptCount,
          },
    });
  });
}
