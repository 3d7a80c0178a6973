import { execFileSync } from 'node:child_process';
import { createVerify } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { createCertificate } from '../../src/domain/accounts/certificate/create-certificate.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { replayNotifications } from '../../src/domain/accounts/notification/replay-notifications.ts';
import { sendTestNotification } from '../../src/domain/accounts/notification/send-test-notification.ts';
import { deleteWebhook } from '../../src/domain/accounts/webhook/delete-webhook.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { relayEvents } from '../../src/event/relay-events.ts';
import { toOwnerCaller } from '../setup/callers.ts';
import { deliverNotifications, relayAndDeliver } from '../setup/deliver-notifications.ts';
import { createFakeClock, type FakeClock } from '../setup/fake-clock.ts';
import { serviceTest } from '../setup/fixtures.ts';
import { seedEvent, seedWebhook, unusualInput } from '../setup/notifications.ts';
import { hasOpenssl } from '../setup/openssl.ts';
import { failFirst, type ReceivedRequest, respondWith, startReceiver } from '../setup/receiver.ts';
import { seedCompletedCharge, seedMerchant } from '../setup/seed.ts';
import { createTempDir } from '../setup/temp-dir.ts';

const start = new Date('2026-11-17T12:00:00.500Z');
const test = serviceTest.extend('clock', () => createFakeClock(start));

const later = (clock: FakeClock, seconds: number) => {
  clock.advance(seconds * 1_000);
};

const listNotifications = (service: Service, merchant: NewMerchant) =>
  service.prisma.notification.findMany({
    where: { merchantId: merchant.merchant.id },
    orderBy: { eventId: 'asc' },
    include: { attempts: { orderBy: { number: 'asc' } } },
  });

const seedPaidCharge = (service: Service, clock: FakeClock, merchant: NewMerchant, notifyUrl: string) =>
  seedCompletedCharge(service, merchant, { input: { ...unusualInput, notifyUrl }, now: clock.now() });

const readPayload = ({ body }: ReceivedRequest) => JSON.stringify(JSON.parse(body).payload);

function verify(bytes: string, signature: string, publicKey: string): boolean {
  return createVerify('RSA-SHA256').update(bytes).verify(publicKey, signature, 'base64');
}

describe('notifications that are due at the same time', () => {
  const events = 30;
  /** Updates the rows, so that the table has them in another order. */
  const shuffle = async (service: Service, merchant: NewMerchant) => {
    for (const { id } of (await listNotifications(service, merchant)).toReversed()) {
      await service.prisma.notification.update({ where: { id }, data: { url: 'https://shop.example/' } });
    }
  };
  const order = (requests: readonly ReceivedRequest[]) =>
    requests.map(({ headers }) => headers['webhook-id']);
  const inOrder = async (service: Service, merchant: NewMerchant) =>
    (await listNotifications(service, merchant)).map(({ eventId }) => eventId);

  test('are sent in the order of their events, new or replayed, regardless of the order of their rows', async ({
    service,
    clock,
    merchant,
  }) => {
    await using receiver = await startReceiver();
    await seedWebhook(service, merchant, { url: receiver.url, concurrency: 1 });
    for (let i = 0; i < events; i++) await seedEvent(service, merchant, { now: clock.now() });
    await relayEvents(service, { now: clock.now() });
    await shuffle(service, merchant);
    await deliverNotifications(service, { clock });
    expect(order(receiver.requests)).toEqual(await inOrder(service, merchant));

    const other = await seedMerchant(service);
    await seedWebhook(service, other, { url: receiver.url });
    await seedEvent(service, other, { now: clock.now() });
    await relayEvents(service, { now: clock.now() });
    await service.prisma.notification.updateMany({ data: { status: 'failed' } });
    await shuffle(service, merchant);
    const owner = { merchantId: merchant.merchant.id, mode: 'live' as const };
    await replayNotifications(service, { ...owner, since: clock.now(), now: clock.now() });
    await deliverNotifications(service, { clock });
    expect(order(receiver.requests)).toEqual([
      ...(await inOrder(service, merchant)),
      ...(await inOrder(service, merchant)),
    ]);
    const ofOther = { where: { merchantId: other.merchant.id } };
    expect(await service.prisma.notification.findMany(ofOther)).toMatchObject([{ status: 'failed' }]);
  });
});

describe('a webhook', () => {
  test('receives the documented body of a completed charge, with Basic auth', async ({
    service,
    clock,
    merchant,
  }) => {
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
        customerAmount: 128.5,
        customerCurrency: 'HKD',
        amountReceived: 0,
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
    expect(await listNotifications(service, merchant)).toMatchObject([
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

  test('that fails at first receives the same bytes and webhook-id at every attempt', async ({
    service,
    clock,
    merchant,
  }) => {
    await using receiver = await startReceiver(failFirst(2));
    // Attempts follow the machine clock, not the test clock of the sandbox.
    await service.prisma.merchant.update({
      where: { id: merchant.merchant.id },
      data: { testClockOffsetMs: 30n * 86_400_000n },
    });
    const mode = 'sandbox';
    await seedWebhook(service, merchant, { mode, url: receiver.url });
    await seedEvent(service, merchant, { mode, payload: { chargeId: 'ch_1', notifyPayload: 'é' } });
    await relayAndDeliver(service, clock);
    expect(await listNotifications(service, merchant)).toMatchObject([
      { status: 'pending', attemptCount: 1 },
    ]);
    later(clock, 3);
    await deliverNotifications(service, { clock });
    expect(receiver.requests).toHaveLength(1);
    later(clock, 3.01);
    await deliverNotifications(service, { clock });
    expect(receiver.requests).toHaveLength(2);
    later(clock, 360);
    await deliverNotifications(service, { clock });
    expect(receiver.requests).toHaveLength(3);
    expect(new Set(receiver.requests.map(({ raw }) => raw.toString('base64'))).size).toBe(1);
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(receiver.requests.map(({ headers }) => headers['webhook-timestamp'])).toEqual([
      '1794916800',
      '1794916806',
      '1794917166',
    ]);
    expect(await listNotifications(service, merchant)).toMatchObject([
      {
        status: 'delivered',
        attemptCount: 3,
        attempts: [{ responseStatus: 503 }, { responseStatus: 503 }, { responseStatus: 200 }],
      },
    ]);
  });

  test('that always fails receives exactly ten attempts', async ({ service, clock, merchant }) => {
    await using receiver = await startReceiver(respondWith(500, {}, 'sorry'));
    await seedWebhook(service, merchant, { url: receiver.url });
    await seedEvent(service, merchant);
    await relayAndDeliver(service, clock);
    for (let wait = 0; wait < 12; wait++) {
      const [pending] = await listNotifications(service, merchant);
      clock.set(pending?.nextAttemptAt ?? clock.now());
      await deliverNotifications(service, { clock });
    }
    expect(receiver.requests).toHaveLength(10);
    const [notification] = await listNotifications(service, merchant);
    expect(notification).toMatchObject({ status: 'failed', attemptCount: 10, nextAttemptAt: null });
    expect(notification?.attempts.map(({ number, responseBody: response }) => [number, response])).toEqual(
      Array.from({ length: 10 }, (_, i) => [i + 1, 'sorry']),
    );
  });

  test('that responds with 410 is disabled, and later notifications are skipped', async ({
    service,
    clock,
    merchant,
  }) => {
    await using receiver = await startReceiver(respondWith(410));
    const webhook = await seedWebhook(service, merchant, { url: receiver.url });
    await seedEvent(service, merchant);
    await relayAndDeliver(service, clock);
    expect(await service.prisma.webhook.findUnique({ where: { id: webhook.id } })).toMatchObject({
      disabledAt: clock.now(),
      disabledReason: 'endpoint_gone',
    });
    await seedEvent(service, merchant);
    await relayAndDeliver(service, clock);
    expect(receiver.requests).toHaveLength(1);
    expect(await listNotifications(service, merchant)).toMatchObject([
      { status: 'failed' },
      { status: 'skipped' },
    ]);
  });

  test('disabled or deleted between two attempts receives no further attempt', async ({
    service,
    clock,
    merchant,
  }) => {
    await using receiver = await startReceiver(respondWith(500));
    const off = await seedWebhook(service, merchant, { url: `${receiver.url}/off` });
    const deleted = await seedWebhook(service, merchant, { url: `${receiver.url}/deleted` });
    await seedEvent(service, merchant);
    await relayAndDeliver(service, clock);
    await service.prisma.webhook.update({ where: { id: off.id }, data: { disabledAt: clock.now() } });
    await service.prisma.webhook.update({ where: { id: deleted.id }, data: { deletedAt: clock.now() } });
    later(clock, 10);
    await deliverNotifications(service, { clock });
    expect(receiver.requests).toHaveLength(2);
    const skipped = { status: 'skipped', attemptCount: 1, nextAttemptAt: null, finishedAt: clock.now() };
    expect(await listNotifications(service, merchant)).toMatchObject([skipped, skipped]);
  });

  test('receives its test notification when disabled, but not when deleted', async ({
    service,
    clock,
    merchant,
  }) => {
    await using receiver = await startReceiver();
    const owner = { merchantId: merchant.merchant.id, mode: 'live', actor: 'user:test' } as const;
    const off = await seedWebhook(service, merchant, { url: `${receiver.url}/off` });
    const deleted = await seedWebhook(service, merchant, { url: `${receiver.url}/deleted` });
    for (const { id } of [off, deleted])
      await sendTestNotification(service, { ...owner, webhookId: id, now: clock.now() });
    await service.prisma.webhook.update({ where: { id: off.id }, data: { disabledAt: clock.now() } });
    await deleteWebhook(service, { ...owner, id: deleted.id, now: clock.now() });
    await deliverNotifications(service, { clock });
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/off']);
    expect(await listNotifications(service, merchant)).toMatchObject([
      { status: 'delivered' },
      { status: 'skipped', attemptCount: 0 },
    ]);
  });

  test('is called at its current URL, so that the old one does not receive the password', async ({
    service,
    clock,
    merchant,
  }) => {
    await using old = await startReceiver(respondWith(500));
    await using moved = await startReceiver();
    const webhook = await seedWebhook(service, merchant, { url: old.url });
    await seedEvent(service, merchant);
    await relayAndDeliver(service, clock);
    await service.prisma.webhook.update({ where: { id: webhook.id }, data: { url: moved.url } });
    later(clock, 10);
    await deliverNotifications(service, { clock });
    expect([old.requests.length, moved.requests.length]).toEqual([1, 1]);
    expect(await listNotifications(service, merchant)).toMatchObject([
      { status: 'delivered', url: moved.url },
    ]);
  });

  test('at a private address receives nothing where those are not allowed', async ({
    service,
    clock,
    merchant,
  }) => {
    await using receiver = await startReceiver();
    await seedWebhook(service, merchant, { url: receiver.url });
    await seedEvent(service, merchant);
    await relayEvents(service, { now: clock.now() });
    const strict = { ...service, settings: { ...service.settings, allowPrivateTargets: false } };
    await deliverNotifications(strict, { clock });
    expect(receiver.requests).toHaveLength(0);
    expect(await listNotifications(service, merchant)).toMatchObject([
      {
        status: 'pending',
        attemptCount: 1,
        attempts: [{ responseStatus: null, error: 'the address is a private or loopback address' }],
      },
    ]);
  });
});

test('an internal error is reported and counted as an attempt, and other endpoints receive their notifications', async ({
  service,
  clock,
  merchant,
}) => {
  await using receiver = await startReceiver();
  const broken = await seedWebhook(service, merchant, { url: `${receiver.url}/broken` });
  await seedWebhook(service, merchant, { url: `${receiver.url}/sound` });
  await service.prisma.webhook.update({ where: { id: broken.id }, data: { passwordEncrypted: 'v0.x' } });
  await seedEvent(service, merchant);
  await relayEvents(service, { now: clock.now() });
  await expect(deliverNotifications(service, { clock })).rejects.toThrow('no longer exists (v0)');
  expect(receiver.requests.map(({ path }) => path)).toEqual(['/sound']);
  const rows = await listNotifications(service, merchant);
  expect(rows.find(({ webhookId }) => webhookId === broken.id)).toMatchObject({
    status: 'pending',
    attempts: [{ responseStatus: null, error: 'the notification could not be created' }],
  });
  // Otherwise its retries fail in other tests.
  await service.prisma.webhook.update({ where: { id: broken.id }, data: { deletedAt: clock.now() } });
});

test('each delivery is announced to live subscribers', async ({ service, clock, merchant }) => {
  await using receiver = await startReceiver();
  await seedWebhook(service, merchant, { url: receiver.url });
  await seedEvent(service, merchant);
  await relayEvents(service, { now: clock.now() });
  const notices: string[] = [];
  await deliverNotifications({ ...service, announce: (notice) => notices.push(notice) }, { clock });
  const [notification] = await listNotifications(service, merchant);
  expect(notices).toEqual([`${notification?.id} ${merchant.merchant.id} live`]);
});

describe('a callback', () => {
  test('has a signature of the exact bytes of its payload, which the certificate verifies', async ({
    service,
    clock,
    merchant,
  }) => {
    await using receiver = await startReceiver();
    await seedPaidCharge(service, clock, merchant, `${receiver.url}/paid`);
    await relayAndDeliver(service, clock);
    const [request] = receiver.requests as [ReceivedRequest];
    const { signature, message: eventType, eventId, timestamp, payload } = JSON.parse(request.body);
    expect([eventType, Object.keys(payload).at(-1)]).toEqual(['CHARGE_COMPLETE', 'notifyPayload']);
    expect(payload).toMatchObject({ mode: 'sandbox', eventId, eventType, timestamp });
    expect(request.body).toContain(`"payload":${readPayload(request)},"signature":"`);
    expect(request.headers).not.toHaveProperty('authorization');
    expect(verify(readPayload(request), signature, merchant.certificates.sandbox)).toBe(true);
    expect(verify(`${readPayload(request)} `, signature, merchant.certificates.sandbox)).toBe(false);
  });

  test.skipIf(!hasOpenssl)(
    'has a signature that the openssl command verifies (needs openssl)',
    async ({ service, clock, merchant }) => {
      await using receiver = await startReceiver();
      await seedPaidCharge(service, clock, merchant, `${receiver.url}/paid`);
      await relayAndDeliver(service, clock);
      const [request] = receiver.requests as [ReceivedRequest];
      const folder = await createTempDir(onTestFinished);
      writeFileSync(join(folder, 'key.pem'), merchant.certificates.sandbox);
      writeFileSync(join(folder, 'payload'), readPayload(request));
      writeFileSync(join(folder, 'signature'), Buffer.from(JSON.parse(request.body).signature, 'base64'));
      const args = ['dgst', '-sha256', '-verify', 'key.pem', '-signature', 'signature', 'payload'];
      expect(execFileSync('openssl', args, { cwd: folder }).toString()).toBe('Verified OK\n');
    },
  );

  test('is signed by the newest certificate that is not revoked', async ({ service, clock, merchant }) => {
    await using receiver = await startReceiver(respondWith(500));
    await seedEvent(service, merchant, { callbackUrl: receiver.url });
    const newer = await createCertificate(service, { caller: toOwnerCaller(merchant), now: clock.now() });
    await relayAndDeliver(service, clock);
    await service.prisma.certificate.update({ where: { id: newer.id }, data: { revokedAt: clock.now() } });
    clock.advance(10_000);
    await deliverNotifications(service, { clock });
    const findSigner = (key: string) =>
      receiver.requests.map((request) =>
        verify(readPayload(request), JSON.parse(request.body).signature, key),
      );
    expect(findSigner(newer.publicKey)).toEqual([true, false]);
    expect(findSigner(merchant.certificates.live)).toEqual([false, true]);
  });

  test('is not sent without a certificate, and the attempt has the reason', async ({
    service,
    clock,
    merchant,
  }) => {
    await using receiver = await startReceiver();
    await service.prisma.certificate.updateMany({
      where: { merchantId: merchant.merchant.id },
      data: { revokedAt: clock.now() },
    });
    await seedEvent(service, merchant, { callbackUrl: receiver.url });
    await relayAndDeliver(service, clock);
    expect(receiver.requests).toHaveLength(0);
    expect(await listNotifications(service, merchant)).toMatchObject([
      {
        status: 'pending',
        attempts: [{ responseStatus: null, error: 'no certificate is available to sign the notification' }],
      },
    ]);
  });

  test('ends with a response of 410, which disables no webhook', async ({ service, clock, merchant }) => {
    await using receiver = await startReceiver(respondWith(410));
    await using webhooks = await startReceiver();
    const { id } = await seedWebhook(service, merchant, { url: webhooks.url });
    await seedEvent(service, merchant, { callbackUrl: receiver.url });
    await relayAndDeliver(service, clock);
    const [callback] = (await listNotifications(service, merchant)).filter(({ kind }) => kind === 'callback');
    expect(callback).toMatchObject({ status: 'failed', attemptCount: 1 });
    expect(await service.prisma.webhook.findUnique({ where: { id } })).toMatchObject({ disabledAt: null });
  });

  test('is signed and sent in addition to the webhook notification, which is not signed', async ({
    service,
    clock,
    merchant,
  }) => {
    await using receiver = await startReceiver();
    await seedWebhook(service, merchant, { mode: 'sandbox', url: `${receiver.url}/hooks` });
    await seedPaidCharge(service, clock, merchant, `${receiver.url}/paid`);
    await relayAndDeliver(service, clock);
    const members = new Map(receiver.requests.map(({ path, body }) => [path, Object.keys(JSON.parse(body))]));
    expect(members.get('/hooks')).not.toContain('signature');
    expect(members.get('/paid')?.at(-1)).toBe('signature');
  });
});
