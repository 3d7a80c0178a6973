import { Prisma } from '../../../../prisma/client/client.ts';
import { announceChange } from '../../../event/announce-change.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Db } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import { getLowestId } from '../../../kit/id.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import { type Audited, recordAudit } from '../../platform/audit/record-audit.ts';

/** The maximum per call, few enough for one short transaction. */
const batchSizeMax = 2_000;

/** The number of queued notifications. Callers repeat the call as long as `hasMore` is true. */
type ReplayResult = { replayed: number; hasMore: boolean };

/**
 * Queues notifications that were created at or after `since` and failed, wait for their next attempt, or were
 * skipped because their webhook was disabled, oldest first. Each keeps its `webhook-id` and gets the full
 * retry schedule again. Test notifications, and those of webhooks that are still disabled or deleted, are not
 * queued. Throws `webhook_not_found` if the merchant has no such webhook.
 */
export async function replayNotifications(
  db: Db,
  options: MerchantScope & Audited & { since: Date; webhookId?: string | null | undefined; now: Date },
): Promise<ReplayResult> {
  const { merchantId, mode, since, webhookId, now, audit } = options;
  return transact(db, async (uow) => {
    if (webhookId != null) {
      const webhookCount = await uow.tx.webhook.count({
        where: { id: webhookId, merchantId, mode, deletedAt: null },
      });
      if (webhookCount === 0) throw new DomainError('webhook_not_found', `Webhook not found: ${webhookId}`);
    }
    const rows = await uow.tx.$queryRaw<{ id: string }[]>`
      UPDATE notification
      SET status = 'pending', next_attempt_at = ${now}, leased_until = NULL, finished_at = NULL,
        attempt_count_at_reset = attempt_count
      WHERE id IN (
        SELECT notification.id
        FROM notification JOIN event ON event.id = event_id LEFT JOIN webhook ON webhook.id = webhook_id
        WHERE notification.merchant_id = ${merchantId} AND notification.mode = ${mode}::mode
          AND notification.id >= ${getLowestId('notification', since)} AND notification.created_at >= ${since}
          AND (status IN ('failed', 'skipped')
            OR status = 'pending' AND notification.attempt_count > 0 AND next_attempt_at > ${now}
              AND (notification.leased_until IS NULL OR notification.leased_until <= ${now}))
          AND NOT test AND disabled_at IS NULL AND deleted_at IS NULL
          ${webhookId != null ? Prisma.sql`AND webhook_id = ${webhookId}` : Prisma.empty}
        ORDER BY notification.id LIMIT ${batchSizeMax}
        FOR UPDATE OF notification SKIP LOCKED)
      RETURNING id`;
    if (audit) await recordAudit(uow, { ...audit, merchantId, mode, action: 'notification.replayed' });
    const [first] = rows;
    // One change notice is enough, because workers look for all due notifications.
    if (first) announceChange(uow, { objectId: first.id, merchantId, mode });
    return { replayed: rows.length, hasMore: rows.length === batchSizeMax };
  });
}
