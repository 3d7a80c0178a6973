import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { replayNotifications } from '../../src/domain/accounts/notification/replay-notifications.ts';
import { sendTestNotification } from '../../src/domain/accounts/notification/send-test-notification.ts';
import { deleteWebhook } from '../../src/domain/accounts/webhook/delete-webhook.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { relayEvents } from '../../src/event/relay-events.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { deliverNotifications, relayAndDeliver } from '../setup/deliver-notifications.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { seedEvent, seedWebhook, unusualInput } from '../setup/notifications.ts';
import { failFirst, type ReceivedRequest, respondWith, startReceiver } from '../setup/receiver.ts';
import { seedCompletedCharge, seedMerchant } from '../setup/seed.ts';
import { setupService } from '../setup/service.ts';

const onCleanup = cleanupAfterFile();

let service: Service;
let merchant: NewMerchant;
const start = new Date('2026-11-17T12:00:00.500Z');
const clock = createFakeClock(start);
const later = (seconds: number) => {
  clock.advance(seconds * 1_000);
};

beforeAll(async () => {
  service = await setupService(onCleanup);
});

beforeEach(async () => {
  merchant = await seedMerchant(service);
  clock.set(start);
});

const notifications = () =>
  service.prisma.notification.findMany({
    where: { merchantId: merchant.merchant.id },
    orderBy: { eventId: 'asc' },
    include: { attempts: { orderBy: { number: 'asc' } } },
  });

describe('what is due at one time goes out in the order of its events, wherever its rows stand in the table', () => {
  const events = 30;
  /** Writes them anew in another order. */
  const shuffle = async () => {
    for (const { id } of (await notifications()).toReversed()) {
      await service.prisma.notification.update({ where: { id }, data: { url: 'https://shop.example/' } });
    }
  };
  const order = (requests: readonly ReceivedRequest[]) =>
    requests.map(({ headers }) => headers['webhook-id']);
  const inOrder = async () => (await notifications()).map(({ eventId }) => eventId);

  test('when it is new, and when it is replayed', async () => {
    await using receiver = await startReceiver();
    await seedWebhook(service, merchant, { url: receiver.url, concurrency: 1 });
    for (let i = 0; i < events; i++) await seedEvent(service, merchant, { now: clock.now() });
    await relayEvents(service, { now: clock.now() });
    await shuffle();
    await deliverNotifications(service, { clock });
    expect(order(receiver.requests)).toEqual(await inOrder());

    const other = await seedMerchant(service);
    await seedWebhook(service, other, { url: receiver.url });
    await seedEvent(service, other, { now: clock.now() });
    await relayEvents(service, { now: clock.now() });
    await service.prisma.notification.updateMany({ data: { status: 'failed' } });
    await shuffle();
    const owner = { merchantId: merchant.merchant.id, mode: 'live' as const };
    await replayNotifications(service, { ...owner, since: clock.now(), now: clock.now() });
    await deliverNotifications(service, { clock });
    expect(order(receiver.requests)).toEqual([...(await inOrder()), ...(await inOrder())]);
    const ofOther = { where: { merchantId: other.merchant.id } };
    expect(await service.prisma.notification.findMany(ofOther)).toMatchObject([{ status: 'failed' }]);
  });
});

describe('a webhook', () => {
  test('gets the documented body of a completed charge, with Basic auth', async () => {
    await using receiver = await startReceiver();
    await seedWebhook(service, merchant, {
      mode: 'sandbox',
      url: `${receiver.url}/hooks`,
      username: 'shop',
      password: 'öffne: dich',
    });
    const charge = await seedCompletedCharge(service, merchant, { input: unusualInput, now: clock.now() });
    await relayAndDeliver(service, clock);
    expect(receiver.requests).toHaveLength(1);
    const [request] = receiver.requests as [ReceivedRequest];
    const event = await service.prisma.event.findFirstOrThrow({
      where: { objectId: charge.id, type: 'CHARGE_COMPLETE' },
    });
    expect(JSON.parse(request.body)).toEqual({
      merchantId: merchant.merchant.id,
      timestamp: 1794916800.5,
      eventId: event.id,
      notificationVersion: '0.9',
      objectVersion: 2,
      chargeId: charge.id,
      message: 'CHARGE_COMPLETE',
      payload: {
        chargeId: charge.id,
        merchantId: merchant.merchant.id,
        customerCurrency: 'HKD',
        merchantAmount: 128.5,
        merchantCurrency: 'HKD',
        status: 'completed',
        paymentMethod: 'fps',
        orders: [{ id: 'o1', name: 'Tee – 茶', quantity: 2, amount: 64.25, currency: 'HKD' }],
        mode: 'sandbox',
        eventId: event.id,
        eventType: 'CHARGE_COMPLETE',
        timestamp: 1794916800.5,
        notifyPayload: 'T3JkZXIgNyDinJM= "✓" \\ \u2028',
      },
    });
    expect(request).toMatchObject({ method: 'POST', path: '/hooks' });
    expect(request.headers).toMatchObject({
      authorization: `Basic ${Buffer.from('shop:öffne: dich').toString('base64')}`,
      'content-type': 'application/json',
      'webhook-id': event.id,
      'webhook-timestamp': '1794916800',
    });
    expect(await notifications()).toMatchObject([
      {
        status: 'delivered',
        attemptCount: 1,
        finishedAt: clock.now(),
        nextAttemptAt: null,
        leasedUntil: null,
        attempts: [{ number: 1, responseStatus: 200, error: null, responseBody: '', startedAt: clock.now() }],
      },
    ]);
  });

  test('that fails at first gets it again, the same bytes and webhook-id at every attempt', async () => {
    await using receiver = await startReceiver(failFirst(2));
    // No attempt goes by the sandbox's clock, which is far ahead.
    await service.prisma.merchant.update({
      where: { id: merchant.merchant.id },
      data: { testClockOffsetMs: 30n * 86_400_000n },
    });
    const mode = 'sandbox';
    await seedWebhook(service, merchant, { mode, url: receiver.url });
    await seedEvent(service, merchant, { mode, payload: { chargeId: 'ch_1', notifyPayload: 'é' } });
    await relayAndDeliver(service, clock);
    expect(await notifications()).toMatchObject([{ status: 'pending', attemptCount: 1 }]);
    later(3);
    await deliverNotifications(service, { clock });
    expect(receiver.requests).toHaveLength(1);
    later(3.01);
    await deliverNotifications(service, { clock });
    expect(receiver.requests).toHaveLength(2);
    later(360);
    await deliverNotifications(service, { clock });
    expect(receiver.requests).toHaveLength(3);
    expect(new Set(receiver.requests.map(({ raw }) => raw.toString('base64'))).size).toBe(1);
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(receiver.requests.map(({ headers }) => headers['webhook-timestamp'])).toEqual([
      '1794916800',
      '1794916806',
      '1794917166',
    ]);
    expect(await notifications()).toMatchObject([
      {
        status: 'delivered',
        attemptCount: 3,
        attempts: [{ responseStatus: 503 }, { responseStatus: 503 }, { responseStatus: 200 }],
      },
    ]);
  });

  test('that always fails gets ten attempts, the last of them posted too, and no more', async () => {
    await using receiver = await startReceiver(respondWith(500, {}, 'sorry'));
    await seedWebhook(service, merchant, { url: receiver.url });
    await seedEvent(service, merchant);
    await relayAndDeliver(service, clock);
    for (let wait = 0; wait < 12; wait++) {
      const [pending] = await notifications();
      clock.set(pending?.nextAttemptAt ?? clock.now());
      await deliverNotifications(service, { clock });
    }
    expect(receiver.requests).toHaveLength(10);
    const [notification] = await notifications();
    expect(notification).toMatchObject({ status: 'failed', attemptCount: 10, nextAttemptAt: null });
    expect(notification?.attempts.map(({ number, responseBody: answer }) => [number, answer])).toEqual(
      Array.from({ length: 10 }, (_, i) => [i + 1, 'sorry']),
    );
  });

  test('that answers 410 is switched off, and misses what comes then', async () => {
    await using receiver = await startReceiver(respondWith(410));
    const webhook = await seedWebhook(service, merchant, { url: receiver.url });
    await seedEvent(service, merchant);
    await relayAndDeliver(service, clock);
    expect(await service.prisma.webhook.findUnique({ where: { id: webhook.id } })).toMatchObject({
      disabledAt: clock.now(),
      disabledReason: 'The endpoint responded with 410 Gone',
    });
    await seedEvent(service, merchant);
    await relayAndDeliver(service, clock);
    expect(receiver.requests).toHaveLength(1);
    expect(await notifications()).toMatchObject([{ status: 'failed' }, { status: 'skipped' }]);
  });

  test('switched off or deleted between two attempts gets no further one', async () => {
    await using receiver = await startReceiver(respondWith(500));
    const off = await seedWebhook(service, merchant, { url: `${receiver.url}/off` });
    const deleted = await seedWebhook(service, merchant, { url: `${receiver.url}/deleted` });
    await seedEvent(service, merchant);
    await relayAndDeliver(service, clock);
    await service.prisma.webhook.update({ where: { id: off.id }, data: { disabledAt: clock.now() } });
    await service.prisma.webhook.update({ where: { id: deleted.id }, data: { deletedAt: clock.now() } });
    later(10);
    await deliverNotifications(service, { clock });
    expect(receiver.requests).toHaveLength(2);
    const skipped = { status: 'skipped', attemptCount: 1, nextAttemptAt: null, finishedAt: clock.now() };
    expect(await notifications()).toMatchObject([skipped, skipped]);
  });

  test('deleted before its test went out gets none; switched off, it gets that', async () => {
    await using receiver = await startReceiver();
    const own = { merchantId: merchant.merchant.id, mode: 'live', actor: 'user:test' } as const;
    const off = await seedWebhook(service, merchant, { url: `${receiver.url}/off` });
    const deleted = await seedWebhook(service, merchant, { url: `${receiver.url}/deleted` });
    for (const { id } of [off, deleted])
      await sendTestNotification(service, { ...own, webhookId: id, now: clock.now() });
    await service.prisma.webhook.update({ where: { id: off.id }, data: { disabledAt: clock.now() } });
    await deleteWebhook(service, { ...own, id: deleted.id, now: clock.now() });
    await deliverNotifications(service, { clock });
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/off']);
    expect(await notifications()).toMatchObject([
      { status: 'delivered' },
      { status: 'skipped', attemptCount: 0 },
    ]);
  });

  test('is called at the address it has now, which the old one no longer learns the password of', async () => {
    await using old = await startReceiver(respondWith(500));
    await using moved = await startReceiver();
    const webhook = await seedWebhook(service, merchant, { url: old.url });
    await seedEvent(service, merchant);
    await relayAndDeliver(service, clock);
    await service.prisma.webhook.update({ where: { id: webhook.id }, data: { url: moved.url } });
    later(10);
    await deliverNotifications(service, { clock });
    expect([old.requests.length, moved.requests.length]).toEqual([1, 1]);
    expect(await notifications()).toMatchObject([{ status: 'delivered', url: moved.url }]);
  });

  test('on a private address gets nothing where those are not allowed', async () => {
    await using receiver = await startReceiver();
    await seedWebhook(service, merchant, { url: receiver.url });
    await seedEvent(service, merchant);
    await relayEvents(service, { now: clock.now() });
    const strict = { ...service, settings: { ...service.settings, allowPrivateWebhookUrls: false } };
    await deliverNotifications(strict, { clock });
    expect(receiver.requests).toHaveLength(0);
    expect(await notifications()).toMatchObject([
      {
        status: 'pending',
        attemptCount: 1,
        attempts: [{ responseStatus: null, error: 'the address is a private or loopback address' }],
      },
    ]);
  });
});

test('a fault of our own is told, counts as an attempt, and delays nobody', async () => {
  await using receiver = await startReceiver();
  const broken = await seedWebhook(service, merchant, { url: `${receiver.url}/broken` });
  await seedWebhook(service, merchant, { url: `${receiver.url}/sound` });
  await service.prisma.webhook.update({ where: { id: broken.id }, data: { passwordEncrypted: 'v0.x' } });
  await seedEvent(service, merchant);
  await relayEvents(service, { now: clock.now() });
  await expect(deliverNotifications(service, { clock })).rejects.toThrow('no longer exists (v0)');
  expect(receiver.requests.map(({ path }) => path)).toEqual(['/sound']);
  const rows = await notifications();
  expect(rows.find(({ webhookId }) => webhookId === broken.id)).toMatchObject({
    status: 'pending',
    attempts: [{ responseStatus: null, error: 'the notification could not be created' }],
  });
});

test('a delivery tells live subscribers how it stands', async () => {
  await using receiver = await startReceiver();
  await seedWebhook(service, merchant, { url: receiver.url });
  await seedEvent(service, merchant);
  await relayEvents(service, { now: clock.now() });
  const told: string[] = [];
  await deliverNotifications({ ...service, announce: (notice) => told.push(notice) }, { clock });
  const [notification] = await notifications();
  expect(told).toEqual([`${notification?.id} ${merchant.merchant.id} live`]);
});
