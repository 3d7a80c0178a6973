import type { Webhook } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Db } from '../../../kit/db.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';
import { type AuditContext, recordAudit } from '../../platform/audit/record-audit.ts';
import { lockWebhook } from './lock-webhook.ts';

/**
 * Deletes a webhook, whose pending notifications are then skipped. The row stays, because the delivery log refers to
 * it. Throws `webhook_not_found`.
 */
export async function deleteWebhook(db: Db, options: ScopedId & AuditContext): Promise<Webhook> {
  const { merchantId, mode, actor, ipAddress, now } = options;
  return transact(db, async (uow) => {
    const { id, url } = await lockWebhook(uow.tx, options);
    const entry = { merchantId, mode, actor, ipAddress, objectId: id, detail: { url }, now };
    await recordAudit(uow, { ...entry, action: 'webhook.deleted' });
    return uow.tx.webhook.update({ where: { id }, data: { deletedAt: now, updatedAt: now } });
  });
}
