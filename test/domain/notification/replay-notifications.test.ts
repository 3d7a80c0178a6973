import { expect, test } from 'vitest';
import { replayNotifications } from '../../../src/domain/accounts/notification/replay-notifications.ts';
import { deleteWebhook } from '../../../src/domain/accounts/webhook/delete-webhook.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { relayEvents } from '../../../src/event/relay-events.ts';
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { seedEvent, seedWebhook } from '../../setup/notifications.ts';
import { minutesAfter, noon, seedMerchant } from '../../setup/seed.ts';
import { setupService } from '../../setup/service.ts';

const onCleanup = cleanupAfterFile();

const service = await setupService(onCleanup);

/** Copies the merchant's one notification, and its event, so many times; all have failed. */
async function fail({ pool }: Service, merchantId: string, copies: number): Promise<void> {
  await pool.query(
    `WITH copied AS (
       INSERT INTO event (id, merchant_id, mode, type, object_id, object_version, payload, actor, relayed_at, created_at)
       SELECT id || i, merchant_id, mode, type, object_id || i, object_version, payload, actor, relayed_at, created_at
       FROM event, generate_series(1, $2::int) i WHERE merchant_id = $1
       RETURNING id)
     INSERT INTO notification (id, merchant_id, mode, event_id, kind, webhook_id, url, queue_key, status, created_at)
     SELECT 'nt_' || substr(copied.id, 4), merchant_id, mode, copied.id, kind, webhook_id, url, queue_key, 'failed', created_at
     FROM notification, copied WHERE merchant_id = $1`,
    [merchantId, copies],
  );
  await pool.query(
    `UPDATE notification SET status = 'failed', next_attempt_at = NULL, finished_at = created_at WHERE merchant_id = $1`,
    [merchantId],
  );
}

test('very many are replayed in steps, each once, the oldest first; those of a deleted webhook are left', async () => {
  const { merchant, ...rest } = await seedMerchant(service);
  const gone = await seedWebhook(service, { merchant, ...rest });
  await seedEvent(service, { merchant, ...rest });
  await relayEvents(service, { now: noon });
  await fail(service, merchant.id, 2_500);
  const owner = { merchantId: merchant.id, mode: 'live' as const };
  const replay = (now: Date) => replayNotifications(service, { ...owner, since: noon, now });
  const due = (nextAttemptAt: Date) =>
    service.prisma.notification.findMany({ where: { ...owner, nextAttemptAt }, orderBy: { id: 'asc' } });

  await deleteWebhook(service, { ...owner, id: gone.id, actor: 'user:test', now: noon });
  expect(await replay(noon)).toEqual({ replayed: 0, hasMore: false });
  await service.prisma.webhook.update({ where: { id: gone.id }, data: { deletedAt: null } });

  const [first, second] = [minutesAfter(noon, 1), minutesAfter(noon, 2)];
  expect(await replay(first)).toEqual({ replayed: 2_000, hasMore: true });
  expect(await replay(second)).toEqual({ replayed: 501, hasMore: false });
  expect(await replay(second)).toEqual({ replayed: 0, hasMore: false });
  const [early, late] = [await due(first), await due(second)];
  expect([early.length, late.length]).toEqual([2_000, 501]);
  expect(early.at(-1)!.id < late[0]!.id).toBe(true);
});
