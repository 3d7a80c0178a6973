import { expect, test } from 'vitest';
import { measureBacklog } from '../../../src/domain/operations/check/measure-backlog.ts';
import { relayEvents } from '../../../src/event/relay-events.ts';
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { deliverNotifications } from '../../setup/deliver-notifications.ts';
import { seedEvent, seedWebhook } from '../../setup/notifications.ts';
import { startReceiver } from '../../setup/receiver.ts';
import { minutesAfter, noon, seedMerchant } from '../../setup/seed.ts';
import { setupService } from '../../setup/service.ts';

const onCleanup = cleanupAfterFile();

const service = await setupService(onCleanup);
const now = minutesAfter(noon, 10);
const clock = { now: () => now };

test('what waits, and how attempts end, is measured', async () => {
  await using receiver = await startReceiver((_, response) => response.writeHead(503).end());
  const shop = await seedMerchant(service);
  await seedWebhook(service, shop, { url: receiver.url });
  await seedEvent(service, shop, { now });
  await seedEvent(service, shop, { now });
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
