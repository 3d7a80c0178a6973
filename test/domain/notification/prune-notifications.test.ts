import { beforeEach, expect, test } from 'vitest';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { pruneNotifications } from '../../../src/domain/accounts/notification/prune-notifications.ts';
import { resendNotification } from '../../../src/domain/accounts/notification/resend-notification.ts';
import { sendTestNotification } from '../../../src/domain/accounts/notification/send-test-notification.ts';
import { relayEvents } from '../../../src/event/relay-events.ts';
import { transact } from '../../../src/event/unit-of-work.ts';
import { type JobContext, serviceJobs } from '../../../src/jobs/definitions.ts';
import { dayMs } from '../../../src/kit/duration.ts';
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { deliverNotifications, relayAndDeliver } from '../../setup/deliver-notifications.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { seedEvent, seedWebhook } from '../../setup/notifications.ts';
import { startReceiver } from '../../setup/receiver.ts';
import { noon, seedMerchant } from '../../setup/seed.ts';
import { setupService } from '../../setup/service.ts';

const onCleanup = cleanupAfterFile();

const service = await setupService(onCleanup);
const daysAfter = (days: number) => new Date(noon.getTime() + days * dayMs);
const at = (now: Date) => ({ now: () => now });
let merchant: NewMerchant;

beforeEach(async () => {
  merchant = await seedMerchant(service);
});

const owner = () => ({ merchantId: merchant.merchant.id, mode: 'live' as const });
const prune = (days: number) => pruneNotifications(service, { now: daysAfter(days) });

test('notifications are pruned with their attempts 90 days after their end; what is pending stays', async () => {
  await using receiver = await startReceiver();
  const webhook = await seedWebhook(service, merchant, { url: receiver.url });
  await seedEvent(service, merchant);
  await relayAndDeliver(service, at(noon));
  await seedEvent(service, merchant, { now: daysAfter(1) });
  await relayEvents(service, { now: daysAfter(1) });
  await sendTestNotification(service, { ...owner(), webhookId: webhook.id, actor: 'user:test', now: noon });
  expect(await prune(90)).toBe(0);
  expect(await prune(90.1)).toBe(1);
  expect(await service.prisma.notificationAttempt.count()).toBe(0);
  expect(await service.prisma.notification.count({ where: { ...owner(), status: 'pending' } })).toBe(2);
  await deliverNotifications(service, { clock: at(daysAfter(2)) });
  const job = serviceJobs.find(({ name }) => name === 'prune-notifications')!;
  const context = { service, clock: at(daysAfter(93)) } as unknown as JobContext;
  await job.work(context, AbortSignal.timeout(30_000));
  expect(await service.prisma.notification.count({ where: owner() })).toBe(0);
  expect(await service.prisma.event.count({ where: { ...owner(), test: true } })).toBe(0);
  await expectInvariants(service);
  // A worker whose clock is right again, after one that was ahead: what went is not missed.
  await prune(89);
  await expectInvariants(service);
});

test('a notification that is being sent again at that moment is not pruned', async () => {
  await seedWebhook(service, merchant);
  const { id: eventId } = await seedEvent(service, merchant);
  await relayEvents(service, { now: noon });
  const { id } = await service.prisma.notification.findFirstOrThrow({ where: { eventId } });
  const ended = { status: 'failed', nextAttemptAt: null, finishedAt: noon } as const;
  await service.prisma.notification.update({ where: { id }, data: ended });
  const now = daysAfter(91);
  await transact(service, async (uow) => {
    await resendNotification(uow, { ...owner(), id, now });
    expect(await pruneNotifications(service, { now })).toBe(0);
  });
  expect(await service.prisma.notification.findUnique({ where: { id } })).toMatchObject({
    status: 'pending',
  });
  await service.prisma.notification.update({ where: { id }, data: ended });
  expect(await pruneNotifications(service, { now })).toBe(1);
});
