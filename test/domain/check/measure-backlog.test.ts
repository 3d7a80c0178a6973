import { expect } from 'vitest';
import { measureBacklog } from '../../../src/domain/operations/check/measure-backlog.ts';
import { readHealth } from '../../../src/domain/operations/health/read-health.ts';
import { createExport } from '../../../src/domain/payouts/export/create-export.ts';
import { relayEvents } from '../../../src/event/relay-events.ts';
import { newOrderedId } from '../../../src/kit/id.ts';
import { toOwnerCaller } from '../../setup/callers.ts';
import { deliverNotifications } from '../../setup/deliver-notifications.ts';
import { seedBankFeed } from '../../setup/feeds.ts';
import { serviceTest as test } from '../../setup/fixtures.ts';
import { seedMail } from '../../setup/messages.ts';
import { seedEvent, seedWebhook } from '../../setup/notifications.ts';
import { startReceiver } from '../../setup/receiver.ts';
import { minutesAfter, noon, seedCharge } from '../../setup/seed.ts';

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

test('the health of the installation excludes the work of paused feeds, and of merchants that have moved', async ({
  service,
  merchant,
}) => {
  const { prisma } = service;
  const { id: merchantId } = merchant.merchant;
  const countWork = async (): Promise<Record<string, number>> => {
    const { queues, mail, feeds } = await readHealth(service, minutesAfter(now, 5));
    const work = queues.map(({ name, waitingCount }) => [name, waitingCount ?? 0] as const);
    return { ...Object.fromEntries(work), messages: mail.waitingCount, feeds: feeds.new };
  };
  const others = await countWork();
  await seedWebhook(service, merchant, { url: 'http://127.0.0.1:1/' });
  const { receivingAccountId } = await seedCharge(service, merchant);
  await seedEvent(service, merchant, { now });
  await relayEvents(service, { now });
  await seedEvent(service, merchant, { now });
  await seedMail(service, { merchantId });
  const input = { kind: 'charges', where: {} } as const;
  await createExport(service, { caller: toOwnerCaller(merchant), input, now });
  const { id: feedId, mode } = await seedBankFeed(service, merchant, { receivingAccountId });
  await prisma.feedDelivery.create({
    data: {
      ...{ id: newOrderedId('feedDelivery', now), merchantId, mode, feedId, status: 'received' },
      ...{ size: 0, bodyHash: '', createdAt: now, nextAttemptAt: now },
    },
  });
  const countOwn = async () => {
    const work = Object.entries(await countWork());
    return Object.fromEntries(work.map(([name, count]) => [name, count - others[name]!]));
  };
  const none = { jobs: 0, statements: 0 };
  const all = { ...none, events: 1, notifications: 1, messages: 1, feed_deliveries: 1, exports: 1, feeds: 1 };
  expect(await countOwn()).toEqual(all);
  await prisma.bankFeed.update({ where: { id: feedId }, data: { status: 'paused' } });
  expect(await countOwn()).toEqual({ ...all, feed_deliveries: 0, feeds: 0 });
  await prisma.bankFeed.update({ where: { id: feedId }, data: { status: 'new' } });
  const move = { moveStatus: 'moved', movedTo: 'https://pay2.example.com' } as const;
  await prisma.merchant.update({ where: { id: merchantId }, data: move });
  expect(await countWork()).toEqual(others);
});
