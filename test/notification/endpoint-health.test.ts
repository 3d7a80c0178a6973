import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { mailAlerts } from '../../src/domain/accounts/alert/mail-alerts.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { replayNotifications } from '../../src/domain/accounts/notification/replay-notifications.ts';
import { updateWebhook } from '../../src/domain/accounts/webhook/update-webhook.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { dayMs, hourMs } from '../../src/kit/duration.ts';
import { retryWaitsMs } from '../../src/notification/notification-state.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { deliverNotifications, relayAndDeliver } from '../setup/deliver-notifications.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { readContent } from '../setup/messages.ts';
import { seedEvent, seedWebhook } from '../setup/notifications.ts';
import { respondWith, startReceiver, switchable } from '../setup/receiver.ts';
import { seedMerchant } from '../setup/seed.ts';
import { setupService } from '../setup/service.ts';

const onCleanup = cleanupAfterFile();

const start = new Date('2026-11-17T12:00:00.000Z');

let service: Service;
let merchant: NewMerchant;
const clock = createFakeClock(start);
const { advance } = clock;

beforeAll(async () => {
  service = await setupService(onCleanup);
});

beforeEach(async () => {
  merchant = await seedMerchant(service);
  clock.set(start);
});

const owner = () => ({ merchantId: merchant.merchant.id, mode: 'live' as const });
const deliver = () => relayAndDeliver(service, clock);
/** Something happens, and is delivered or not. */
const happen = async (callbackUrl?: string) => {
  await seedEvent(service, merchant, { now: clock.now(), callbackUrl });
  await deliver();
};
const alerts = async () =>
  (await service.prisma.alert.findMany({ where: owner(), orderBy: { id: 'asc' } })).map(
    ({ kind, detail }) => [kind, detail],
  );
const read = (id: string) => service.prisma.webhook.findUniqueOrThrow({ where: { id } });
const statuses = async () =>
  (await service.prisma.notification.findMany({ where: owner(), orderBy: { id: 'asc' } })).map(
    ({ status }) => status,
  );
/** Goes from one attempt to the next until nothing waits any more. */
const walkSchedule = async () => {
  for (;;) {
    const next = await service.prisma.notification.findFirst({
      where: { ...owner(), status: 'pending' },
      orderBy: { nextAttemptAt: 'asc' },
    });
    if (!next?.nextAttemptAt) return;
    clock.set(next.nextAttemptAt);
    await deliverNotifications(service, { clock });
  }
};

describe('a webhook', () => {
  test('that fails: the merchant is told at the fourth failure in a row, once, and when it works again', async () => {
    const endpoint = switchable();
    await using receiver = await startReceiver(endpoint);
    const { id } = await seedWebhook(service, merchant, { url: receiver.url });
    for (let i = 0; i < 3; i++) await happen();
    expect(await alerts()).toEqual([]);
    expect(await read(id)).toMatchObject({
      consecutiveFailures: 3,
      failingSince: start,
      failureAlertedAt: null,
    });
    await happen();
    expect(await alerts()).toEqual([['endpoint_failing', 'the endpoint responded with 500']]);
    await happen();
    await happen();
    expect(await alerts()).toHaveLength(1);

    endpoint.works = true;
    advance(hourMs);
    await deliver();
    expect((await alerts()).map(([kind]) => kind)).toEqual(['endpoint_failing', 'endpoint_recovered']);
    expect(await read(id)).toMatchObject({
      consecutiveFailures: 0,
      failingSince: null,
      failureAlertedAt: null,
    });
    expect(new Set(await statuses())).toEqual(new Set(['delivered']));
  });

  test('that fails now and then, never four times in a row, is not told of', async () => {
    const endpoint = switchable();
    await using receiver = await startReceiver(endpoint);
    const { id } = await seedWebhook(service, merchant, { url: receiver.url });
    for (let i = 0; i < 4; i++) {
      endpoint.works = false;
      await happen();
      advance(60_000);
      endpoint.works = true;
      await deliver();
      advance(hourMs);
    }
    expect(await alerts()).toEqual([]);
    expect(await read(id)).toMatchObject({ consecutiveFailures: 0, failingSince: null });
  });

  test('with nothing but failures for 5 days is switched off, what it misses is skipped, and replayed once it is on', async () => {
    const endpoint = switchable();
    await using receiver = await startReceiver(endpoint);
    const { id } = await seedWebhook(service, merchant, { url: receiver.url });
    await happen();
    while (clock.now().getTime() < start.getTime() + 5 * dayMs - hourMs) {
      advance(12 * hourMs - 1_000);
      await happen();
    }
    expect((await read(id)).disabledAt).toBeNull();
    clock.set(new Date(start.getTime() + 5 * dayMs));
    await happen();
    expect(await read(id)).toMatchObject({
      disabledAt: clock.now(),
      disabledReason: 'All deliveries failed for 5 days',
    });
    expect((await alerts()).at(-1)).toEqual(['webhook_disabled', 'All deliveries failed for 5 days']);

    const before = receiver.requests.length;
    await happen();
    advance(4 * dayMs);
    await deliver();
    expect(receiver.requests).toHaveLength(before);
    expect(new Set(await statuses())).toEqual(new Set(['skipped']));
    expect(await replayNotifications(service, { ...owner(), since: start, now: clock.now() })).toEqual({
      replayed: 0,
      hasMore: false,
    });

    endpoint.works = true;
    await updateWebhook(service, {
      ...owner(),
      id,
      input: { isEnabled: true },
      actor: 'user:test',
      now: clock.now(),
    });
    expect(await read(id)).toMatchObject({ disabledAt: null, disabledReason: null, consecutiveFailures: 0 });
    const missed = (await statuses()).length;
    const replay = await replayNotifications(service, { ...owner(), since: start, now: clock.now() });
    expect(replay).toEqual({ replayed: missed, hasMore: false });
    await deliver();
    expect(await statuses()).toEqual(Array.from({ length: missed }, () => 'delivered'));
    const ids = receiver.requests.map(({ headers }) => headers['webhook-id']);
    const events = await service.prisma.event.findMany({ where: owner(), select: { id: true } });
    expect(new Set(ids)).toEqual(new Set(events.map((event) => event.id)));
  });

  test('gets ten attempts over 75.6 hours, each wait ±20 %, and then the merchant is told', async () => {
    await using receiver = await startReceiver(respondWith(503));
    await seedWebhook(service, merchant, { url: receiver.url });
    await happen();
    await walkSchedule();
    const { attempts } = await service.prisma.notification.findFirstOrThrow({
      where: owner(),
      include: { attempts: { orderBy: { number: 'asc' } } },
    });
    expect(receiver.requests).toHaveLength(10);
    const waits = attempts
      .slice(1)
      .map(({ startedAt }, i) => startedAt.getTime() - attempts[i]!.startedAt.getTime());
    for (const [i, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(retryWaitsMs[i]! * 0.8);
      expect(wait).toBeLessThanOrEqual(retryWaitsMs[i]! * 1.2);
    }
    expect(await statuses()).toEqual(['failed']);
    expect((await alerts()).map(([kind]) => kind)).toEqual(['endpoint_failing', 'delivery_failed']);
  });

  test('is waited for as long as its Retry-After says, but no longer than the whole schedule', async () => {
    const asked = [7_200, 365 * 86_400];
    await using receiver = await startReceiver((request, response) => {
      response.writeHead(429, { 'retry-after': String(asked[request.index]) }).end();
    });
    await seedWebhook(service, merchant, { url: receiver.url });
    await happen();
    const due = async () => {
      const row = await service.prisma.notification.findFirstOrThrow({ where: owner() });
      return (row.nextAttemptAt?.getTime() ?? 0) - clock.now().getTime();
    };
    expect(await due()).toBe(2 * hourMs);
    advance(2 * hourMs);
    await deliver();
    expect(await due()).toBe(retryWaitsMs.reduce((sum, wait) => sum + wait));
  });

  test('that is switched off by the merchant says so, and is told of by no mail', async () => {
    const { id } = await seedWebhook(service, merchant);
    await updateWebhook(service, {
      ...owner(),
      id,
      input: { isEnabled: false },
      actor: 'user:test',
      now: clock.now(),
    });
    expect(await read(id)).toMatchObject({ disabledAt: clock.now(), disabledReason: 'Disabled manually' });
    expect(await alerts()).toEqual([]);
  });
});

describe('a callback is judged by its own delivery', () => {
  test('told of at its fourth failure and when given up; those of a day and host together', async () => {
    await using receiver = await startReceiver(respondWith(500));
    await happen(`${receiver.url}/1`);
    await happen(`${receiver.url}/2`);
    await walkSchedule();
    expect(receiver.requests).toHaveLength(20);
    const given = await service.prisma.notification.findMany({ where: { ...owner(), status: 'failed' } });
    const days = new Set(given.map(({ finishedAt }) => finishedAt?.toISOString().slice(0, 10)));
    expect(given).toHaveLength(2);
    // Chance spreads the last attempts over a day, and seldom over midnight.
    expect((await alerts()).map(([kind]) => kind)).toEqual([
      'endpoint_failing',
      ...[...days].map(() => 'delivery_failed'),
    ]);
  });

  test('told of when it arrives after all', async () => {
    const endpoint = switchable();
    await using receiver = await startReceiver(endpoint);
    await happen(`${receiver.url}/`);
    for (let i = 0; i < 3; i++) {
      advance(3 * hourMs);
      await deliver();
    }
    endpoint.works = true;
    advance(3 * hourMs);
    await deliver();
    expect(await statuses()).toEqual(['delivered']);
    expect((await alerts()).map(([kind]) => kind)).toEqual(['endpoint_failing', 'endpoint_recovered']);
  });
});

test('each alert is mailed once to owners and developers, without the secrets of the address', async () => {
  await using receiver = await startReceiver(respondWith(410));
  await seedWebhook(service, merchant, { url: `${receiver.url}/hooks?key=secret` });
  await happen();
  const mails = () => service.prisma.message.findMany({ where: { merchantId: merchant.merchant.id } });
  await Promise.all([mailAlerts(service, { now: clock.now() }), mailAlerts(service, { now: clock.now() })]);
  await mailAlerts(service, { now: clock.now() });
  const [mail, ...more] = await mails();
  expect(more).toEqual([]);
  expect(mail).toMatchObject({
    recipient: merchant.email,
    audience: 'staff',
    subject: `A webhook was disabled: ${merchant.merchant.name}`,
  });
  const { text } = await readContent(service, mail!);
  expect(text).toContain(`${receiver.url}/hooks`);
  expect(text).not.toContain('secret');
});
