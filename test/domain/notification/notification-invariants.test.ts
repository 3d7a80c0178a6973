import { beforeAll, expect, test } from 'vitest';
import { checkInvariants } from '../../../src/domain/check/check-invariants.ts';
import { measureBacklog } from '../../../src/domain/check/measure-backlog.ts';
import type { NewMerchant } from '../../../src/domain/merchant/create-merchant.ts';
import type { Service } from '../../../src/domain/service.ts';
import { relayEvents } from '../../../src/event/relay-events.ts';
import { deliverNotifications } from '../../setup/deliver-notifications.ts';
import { makeMerchant, minutesAfter, noon } from '../../setup/makers.ts';
import { makeEvent, makeWebhook } from '../../setup/notifications.ts';
import { startReceiver } from '../../setup/receiver.ts';
import { testService } from '../../setup/service.ts';

let service: Service;
let merchant: NewMerchant;
const now = minutesAfter(noon, 10);
const clock = { now: () => now };

beforeAll(async () => {
  service = await testService();
  merchant = await makeMerchant(service);
});

const broken = async () => (await checkInvariants(service)).map(({ name }) => name);
const only = () => service.prisma.notification.findFirstOrThrow({ orderBy: { id: 'asc' } });

test('whatever is lost on the way to a webhook is found', async () => {
  await using receiver = await startReceiver();
  await makeWebhook(service, merchant, { url: receiver.url });
  await makeEvent(service, merchant, { now });
  await relayEvents(service, { now });
  await deliverNotifications(service, { clock });
  expect(await broken()).toEqual([]);
  const { id, ...notification } = await only();
  const restore = () => service.prisma.notification.update({ where: { id }, data: notification });

  await service.prisma.notification.update({ where: { id }, data: { status: 'pending' } });
  expect(await broken()).toEqual(['notification_has_its_time']);
  await restore();
  const attempt = await service.prisma.notificationAttempt.findFirstOrThrow();
  await service.prisma.notificationAttempt.delete({ where: { id: attempt.id } });
  expect(await broken()).toEqual(['notification_delivered_by_an_attempt']);
  await service.prisma.notification.delete({ where: { id } });
  expect(await broken()).toEqual(['webhook_notified']);
  await service.prisma.event.deleteMany();
  expect(await broken()).toEqual(['event_numbers_without_gaps']);
  await service.prisma.eventCounter.deleteMany();
  expect(await broken()).toEqual([]);
});

test('what waits, and how attempts end, is measured', async () => {
  await using receiver = await startReceiver((_, response) => response.writeHead(503).end());
  const shop = await makeMerchant(service);
  await makeWebhook(service, shop, { url: receiver.url });
  await makeEvent(service, shop, { now });
  await makeEvent(service, shop, { now });
  expect(await measureBacklog(service, minutesAfter(now, 1))).toMatchObject({
    eventsUnrelayed: 2,
    oldestUnrelayedSeconds: 60,
    notificationsPending: 0,
  });
  await relayEvents(service, { now });
  await deliverNotifications(service, { clock });
  expect(await measureBacklog(service, now)).toMatchObject({
    eventsUnrelayed: 0,
    notificationsPending: 2,
    notificationsDue: 0,
    oldestDueSeconds: 0,
    webhooksFailing: 1,
    webhooksDisabled: 0,
    attempts: { '2xx': 0, '5xx': 2, none: 0 },
  });
  expect(await measureBacklog(service, minutesAfter(now, 2))).toMatchObject({
    notificationsDue: 2,
    oldestUndeliveredSeconds: 120,
    attempts: { '5xx': 0 },
  });
});
