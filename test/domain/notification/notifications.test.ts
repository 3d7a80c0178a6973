import { describe, expect } from 'vitest';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { mailAlerts } from '../../../src/domain/accounts/notice/mail-alerts.ts';
import { pruneNotifications } from '../../../src/domain/accounts/notification/prune-notifications.ts';
import { replayNotifications } from '../../../src/domain/accounts/notification/replay-notifications.ts';
import { resendNotification } from '../../../src/domain/accounts/notification/resend-notification.ts';
import { sendTestNotification } from '../../../src/domain/accounts/notification/send-test-notification.ts';
import { deleteWebhook } from '../../../src/domain/accounts/webhook/delete-webhook.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { relayEvents } from '../../../src/event/relay-events.ts';
import { transact } from '../../../src/event/unit-of-work.ts';
import { type JobContext, serviceJobs } from '../../../src/jobs/definitions.ts';
import { dayMs } from '../../../src/kit/duration.ts';
import { newId } from '../../../src/kit/id.ts';
import { deliverNotifications, relayAndDeliver } from '../../setup/deliver-notifications.ts';
import { serviceTest as test } from '../../setup/fixtures.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { seedEvent, seedWebhook } from '../../setup/notifications.ts';
import { startReceiver } from '../../setup/receiver.ts';
import { minutesAfter, noon, seedMerchant } from '../../setup/seed.ts';
import { recordStatements } from '../../setup/sent-statements.ts';

describe('Notification', () => {
  const daysAfter = (days: number) => new Date(noon.getTime() + days * dayMs);
  const toClock = (now: Date) => ({ now: () => now });

  const owner = (merchant: NewMerchant) => ({ merchantId: merchant.merchant.id, mode: 'live' as const });
  const prune = (service: Service, days: number) => pruneNotifications(service, { now: daysAfter(days) });

  test('is pruned with its attempts 90 days after its end, unless it is pending', async ({
    service,
    merchant,
  }) => {
    await using receiver = await startReceiver();
    const webhook = await seedWebhook(service, merchant, { url: receiver.url });
    await seedEvent(service, merchant);
    await relayAndDeliver(service, toClock(noon));
    await seedEvent(service, merchant, { now: daysAfter(1) });
    await relayEvents(service, { now: daysAfter(1) });
    await sendTestNotification(service, {
      ...owner(merchant),
      webhookId: webhook.id,
      actor: 'user:test',
      now: noon,
    });
    expect(await prune(service, 90)).toBe(0);
    expect(await prune(service, 90.1)).toBe(1);
    expect(await service.prisma.notificationAttempt.count()).toBe(0);
    expect(
      await service.prisma.notification.count({ where: { ...owner(merchant), status: 'pending' } }),
    ).toBe(2);
    await deliverNotifications(service, { clock: toClock(daysAfter(2)) });
    const job = serviceJobs.find(({ name }) => name === 'prune-notifications')!;
    const context = { service, clock: toClock(daysAfter(93)) } as unknown as JobContext;
    await job.work(context, AbortSignal.timeout(30_000));
    expect(await service.prisma.notification.count({ where: owner(merchant) })).toBe(0);
    expect(await service.prisma.event.count({ where: { ...owner(merchant), test: true } })).toBe(0);
    await expectInvariants(service);
    // A worker may run after another one whose clock was ahead.
    await prune(service, 89);
    await expectInvariants(service);
  });

  test('is not pruned while it is being resent', async ({ service, merchant }) => {
    await seedWebhook(service, merchant);
    const { id: eventId } = await seedEvent(service, merchant);
    await relayEvents(service, { now: noon });
    const { id } = await service.prisma.notification.findFirstOrThrow({ where: { eventId } });
    const ended = { status: 'failed', nextAttemptAt: null, finishedAt: noon } as const;
    await service.prisma.notification.update({ where: { id }, data: ended });
    const now = daysAfter(91);
    await transact(service, async (uow) => {
      await resendNotification(uow, { ...owner(merchant), id, now });
      expect(await pruneNotifications(service, { now })).toBe(0);
    });
    expect(await service.prisma.notification.findUnique({ where: { id } })).toMatchObject({
      status: 'pending',
    });
    await service.prisma.notification.update({ where: { id }, data: ended });
    expect(await pruneNotifications(service, { now })).toBe(1);
  });
});

describe('Failed notification', () => {
  /** Copies the only notification of the merchant and its event. All notifications have failed. */
  async function copyFailedNotification(
    { pool }: Service,
    merchantId: string,
    copies: number,
  ): Promise<void> {
    await pool.query(
      `WITH copied AS (
       INSERT INTO event (id, merchant_id, mode, type, object_id, object_version, payload, actor, relayed_at, created_at)
       SELECT id || i, merchant_id, mode, type, object_id || i, object_version, payload, actor, relayed_at, created_at
       FROM event, generate_series(1, $2::int) i WHERE merchant_id = $1
       RETURNING id)
     INSERT INTO notification (id, merchant_id, mode, event_id, event_type, kind, webhook_id, url, queue_key, status, created_at)
     SELECT 'nt_' || substr(copied.id, 4), merchant_id, mode, copied.id, event_type, kind, webhook_id, url, queue_key, 'failed', created_at
     FROM notification, copied WHERE merchant_id = $1`,
      [merchantId, copies],
    );
    await pool.query(
      `UPDATE notification SET status = 'failed', next_attempt_at = NULL, finished_at = created_at WHERE merchant_id = $1`,
      [merchantId],
    );
  }

  test('is replayed once, in batches with the oldest first, unless its webhook is deleted', async ({
    service,
    merchant,
  }) => {
    const webhook = await seedWebhook(service, merchant);
    await seedEvent(service, merchant);
    await relayEvents(service, { now: noon });
    await copyFailedNotification(service, merchant.merchant.id, 2_500);
    const owner = { merchantId: merchant.merchant.id, mode: 'live' as const };
    const replayAll = (now: Date) => replayNotifications(service, { ...owner, since: noon, now });
    const due = (nextAttemptAt: Date) =>
      service.prisma.notification.findMany({ where: { ...owner, nextAttemptAt }, orderBy: { id: 'asc' } });

    await deleteWebhook(service, { ...owner, id: webhook.id, actor: 'user:test', now: noon });
    expect(await replayAll(noon)).toEqual({ replayed: 0, hasMore: false });
    await service.prisma.webhook.update({ where: { id: webhook.id }, data: { deletedAt: null } });

    const [first, second] = [minutesAfter(noon, 1), minutesAfter(noon, 2)];
    expect(await replayAll(first)).toEqual({ replayed: 2_000, hasMore: true });
    expect(await replayAll(second)).toEqual({ replayed: 501, hasMore: false });
    expect(await replayAll(second)).toEqual({ replayed: 0, hasMore: false });
    const [early, late] = [await due(first), await due(second)];
    expect([early.length, late.length]).toEqual([2_000, 501]);
    expect(early.at(-1)!.id < late[0]!.id).toBe(true);
  });
});

describe('Notification that waits for its next attempt', () => {
  test('is replayed immediately, unless an attempt is in progress', async ({ service, merchant }) => {
    await seedWebhook(service, merchant);
    await seedEvent(service, merchant);
    await relayEvents(service, { now: noon });
    const owner = { merchantId: merchant.merchant.id, mode: 'live' as const };
    const now = minutesAfter(noon, 10);
    const replay = () => replayNotifications(service, { ...owner, since: noon, now });
    const wait = { attemptCount: 3, nextAttemptAt: minutesAfter(noon, 120) };
    expect(await replay()).toEqual({ replayed: 0, hasMore: false });

    const leased = { ...wait, leasedUntil: minutesAfter(now, 1) };
    await service.prisma.notification.updateMany({ where: owner, data: leased });
    expect(await replay()).toEqual({ replayed: 0, hasMore: false });

    await service.prisma.notification.updateMany({ where: owner, data: { ...wait, leasedUntil: null } });
    expect(await replay()).toEqual({ replayed: 1, hasMore: false });
    expect(await replay()).toEqual({ replayed: 0, hasMore: false });
    expect(await service.prisma.notification.findFirst({ where: owner })).toMatchObject({
      status: 'pending',
      nextAttemptAt: now,
      attemptCountAtReset: 3,
    });
  });
});

describe('Alert mail', () => {
  async function seedAlerts(service: Service, merchant: NewMerchant, count: number): Promise<string[]> {
    const ids = Array.from({ length: count }, () => newId('alert', noon));
    await service.prisma.alert.createMany({
      data: ids.map((id) => ({
        id,
        merchantId: merchant.merchant.id,
        mode: 'live' as const,
        kind: 'endpoint_failing',
        url: 'https://shop.example/hooks',
        detail: 'HTTP 500',
        dedupeKey: id,
        createdAt: noon,
      })),
    });
    return ids;
  }

  async function addDevelopers(service: Service, merchant: NewMerchant, count: number): Promise<void> {
    const owner = await service.prisma.merchantUser.findFirstOrThrow({ where: { email: merchant.email } });
    await service.prisma.merchantUser.createMany({
      data: Array.from({ length: count }, (_, i) => {
        const id = newId('user', noon);
        return { ...owner, id, role: 'developer' as const, email: `dev${i}-${id}@example.com` };
      }),
    });
  }

  const runMailJob = (service: Service) => mailAlerts(service, { now: noon });

  test('takes as many statements for many alerts and recipients as for one', async ({ service }) => {
    const countStatements = async (alerts: number, developers: number) => {
      const [first, second] = [await seedMerchant(service), await seedMerchant(service)];
      await addDevelopers(service, first, developers);
      await seedAlerts(service, first, alerts);
      await seedAlerts(service, second, alerts);
      const { result, sent } = await recordStatements(() => runMailJob(service));
      expect(result).toBe(2 * alerts);
      const countMails = (merchantId: string) => service.prisma.message.count({ where: { merchantId } });
      expect(await countMails(first.merchant.id)).toBe(alerts * (developers + 1));
      expect(await countMails(second.merchant.id)).toBe(alerts);
      return sent.length;
    };
    expect(await countStatements(8, 10)).toBe(await countStatements(1, 0));
  });

  test('continues when an alert cannot be mailed, reports its id, and mails it when it is repaired', async ({
    service,
  }) => {
    const [broken, valid] = [await seedMerchant(service), await seedMerchant(service)];
    const [first] = await seedAlerts(service, broken, 1);
    await seedAlerts(service, valid, 3);
    // Inputs reject such an address; a restored backup may contain one.
    const { id } = await service.prisma.merchantUser.update({
      where: {
        id: (await service.prisma.merchantUser.findFirstOrThrow({ where: { email: broken.email } })).id,
      },
      data: { email: 'no address' },
    });
    await expect(runMailJob(service)).rejects.toThrow(`some alerts could not be emailed: ${first}`);
    expect(await service.prisma.message.count({ where: { recipient: valid.email } })).toBe(3);
    await service.prisma.merchantUser.update({ where: { id }, data: { email: broken.email } });
    expect(await runMailJob(service)).toBe(1);
    expect(await service.prisma.message.count({ where: { recipient: broken.email } })).toBe(1);
  });
});
