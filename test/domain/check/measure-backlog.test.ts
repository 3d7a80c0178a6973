import { expect } from 'vitest';
import { measureBacklog } from '../../../src/domain/operations/check/measure-backlog.ts';
import { relayEvents } from '../../../src/event/relay-events.ts';
import { deliverNotifications } from '../../setup/deliver-notifications.ts';
import { serviceTest as test } from '../../setup/fixtures.ts';
import { seedEvent, seedWebhook } from '../../setup/notifications.ts';
import { startReceiver } from '../../setup/receiver.ts';
import { minutesAfter, noon } from '../../setup/seed.ts';

const now = minutesAfter(noon, 10);
const clock = { now: () => now };

test('the backlog counts pending events and notifications, and the results of attempts', async ({
  service,
  merchant,
}) => {
  await using receiver = await startReceiver((_, response) => response.writeHead(503).end());
  await seedWebhook(service, merchant, { url: receiver.url });
  await seedEvent(service, merchant, { now });
  await seedEvent(service, merchant, { now });
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
