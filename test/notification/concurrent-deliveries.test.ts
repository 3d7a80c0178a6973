import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { describe, expect, onTestFinished } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { createWebhook } from '../../src/domain/accounts/webhook/create-webhook.ts';
import { deleteWebhook } from '../../src/domain/accounts/webhook/delete-webhook.ts';
import { rotateWebhookSecret } from '../../src/domain/accounts/webhook/rotate-webhook-secret.ts';
import { updateWebhook } from '../../src/domain/accounts/webhook/update-webhook.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import type { EventInput } from '../../src/event/event-row.ts';
import { recordEvents } from '../../src/event/record-event.ts';
import { relayEvents } from '../../src/event/relay-events.ts';
import { transact } from '../../src/event/unit-of-work.ts';
import { systemClock } from '../../src/kit/clock.ts';
import { claimNotifications, type NotificationClaim } from '../../src/notification/claim-notifications.ts';
import type { NextNotificationState } from '../../src/notification/notification-state.ts';
import { createRecorder } from '../../src/notification/record-attempts.ts';
import { type DelivererOptions, startDeliverer } from '../../src/notification/start-deliverer.ts';
import { deliverNotifications } from '../setup/deliver-notifications.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { serviceTest as test } from '../setup/fixtures.ts';
import { seedDueNotifications, seedEvent, seedWebhook } from '../setup/notifications.ts';
import { neverRespond, type ReceivedRequest, startReceiver } from '../setup/receiver.ts';
import { seedMerchant } from '../setup/seed.ts';
import { connectOtherProcess, type ServiceOnDatabase } from '../setup/service.ts';

const clockAhead = (seconds: number) => ({ now: () => new Date(Date.now() + seconds * 1_000) });

const listNotifications = (service: ServiceOnDatabase, merchant: NewMerchant) =>
  service.prisma.notification.findMany({
    where: { merchantId: merchant.merchant.id },
    include: { attempts: true },
  });

function deliverer(service: ServiceOnDatabase, options: Partial<DelivererOptions> = {}) {
  const started = startDeliverer(service, { clock: systemClock, onError: console.error, ...options });
  onTestFinished(() => started.stop());
  return started;
}

/** Records and relays events of the test's own objects, such as `a1 a2 b1`. */
async function seedRelayedEvents(
  service: ServiceOnDatabase,
  merchant: NewMerchant,
  events: string,
): Promise<void> {
  for (const event of events.split(' ')) {
    const objectVersion = Number(event.slice(1));
    await seedEvent(service, merchant, {
      objectId: toObjectId(merchant, event),
      objectVersion,
      now: new Date(),
    });
  }
  await relayEvents(service, { now: new Date() });
}

const toObjectId = (merchant: NewMerchant, event: string) => `ch_${event[0]}_${merchant.merchant.id}`;

/** The names of the events of the requests, such as `a1`. */
const toNames = (requests: readonly ReceivedRequest[]) =>
  requests.map(({ body }) => {
    const { chargeId, objectVersion } = JSON.parse(body);
    return `${chargeId[3]}${objectVersion}`;
  });

function worker(on: ServiceOnDatabase) {
  const deliverer = startDeliverer(on, { clock: systemClock, onError: console.error });
  onTestFinished(deliverer.stop);
  return deliverer;
}

const events = 120;

const promptResponses = 50;

/** The default concurrency of an endpoint. */
const defaultConcurrency = 10;

/** Starts deliveries to an endpoint that responds promptly at first and then blocks: ten deliveries are running. */
async function startBlockedDeliveries(service: Service) {
  const { receiver, unblock } = await startBlockingReceiver();
  const merchant = await seedMerchant(service);
  const owner = {
    merchantId: merchant.merchant.id,
    mode: 'live' as const,
    actor: 'user:test',
    now: new Date(),
  };
  const input = { url: receiver.url, username: 'shop', password: 'old sesame', isSigned: true };
  const { webhook, signingSecret } = await createWebhook(service, { ...owner, input });
  await transact(service, async (uow) =>
    recordEvents(
      uow,
      Array.from({ length: events }, (_, i) => toCompletion(owner, i)),
    ),
  );
  await relayEvents(service, { now: new Date() });
  const { deliver, stop } = startDeliverer(service, { clock: systemClock, onError: console.error });
  onTestFinished(stop);
  const done = deliver();
  await receiver.waitFor(({ length }) => length === promptResponses + defaultConcurrency);
  return {
    receiver,
    owner: { ...owner, id: webhook.id },
    signingSecret: signingSecret!,
    /** Lets the endpoint respond again, and waits for the other deliveries. */
    async resume() {
      unblock();
      await done;
    },
  };
}

function toCompletion(
  owner: Pick<EventInput, 'merchantId' | 'mode' | 'actor' | 'now'>,
  i: number,
): EventInput {
  const objectId = `ch_${i}_${owner.merchantId}`;
  return {
    ...owner,
    type: 'CHARGE_COMPLETE',
    objectId,
    objectVersion: 1,
    payload: { chargeId: objectId },
  };
}

async function startBlockingReceiver() {
  const { promise: unblocked, resolve: unblock } = Promise.withResolvers<void>();
  const receiver = await startReceiver(async (request, response) => {
    if (request.index >= promptResponses) await unblocked;
    response.end();
  });
  onTestFinished(receiver.stop);
  return { receiver, unblock };
}

test('two processes deliver each notification once', async ({ service, merchant }) => {
  await using receiver = await startReceiver();
  await seedWebhook(service, merchant, { url: receiver.url });
  await seedDueNotifications(service, merchant, 100);
  await Promise.all([
    deliverNotifications(service, { clock: systemClock }),
    deliverNotifications(connectOtherProcess(onTestFinished, service), { clock: systemClock }),
  ]);
  expect(receiver.requests).toHaveLength(100);
  expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(100);
  expect(
    (await listNotifications(service, merchant)).every(
      ({ status, attempts }) => status === 'delivered' && attempts.length === 1,
    ),
  ).toBe(true);
});

describe('a claim', () => {
  const record = (
    service: ServiceOnDatabase,
    claim: NotificationClaim,
    status: number,
    next: NextNotificationState,
  ) => {
    const result = { status, error: null, responseBody: '', retryAfter: null, durationMs: 1 };
    const attempt = { claim, startedAt: new Date(), endedAt: new Date(), result, next };
    return createRecorder(service, () => {})(attempt);
  };
  const claimOne = async (service: ServiceOnDatabase, webhook: { id: string }, now = new Date()) => {
    const leasedUntil = new Date(now.getTime() + 30_000);
    const [claim] = await claimNotifications(service, {
      now,
      leasedUntil,
      slots: new Map([[webhook.id, 1]]),
      largeBytesFree: 0,
    });
    return claim!;
  };

  test('of a killed process is taken over when its lease expires, not before', async ({
    service,
    merchant,
  }) => {
    await using receiver = await startReceiver();
    const webhook = await seedWebhook(service, merchant, { url: receiver.url });
    await seedDueNotifications(service, merchant, 1);
    await claimOne(service, webhook);
    await deliverNotifications(service, { clock: clockAhead(25) });
    expect(receiver.requests).toHaveLength(0);
    await deliverNotifications(service, { clock: clockAhead(31) });
    expect(receiver.requests).toHaveLength(1);
  });

  test('that was taken over is ignored, regardless of the result of its attempt', async ({
    service,
    merchant,
  }) => {
    const webhook = await seedWebhook(service, merchant);
    await seedDueNotifications(service, merchant, 1);
    const expired = await claimOne(service, webhook);
    const current = await claimOne(service, webhook, clockAhead(31).now());
    expect(current.id).toBe(expired.id);
    await record(service, expired, 410, { status: 'failed', disablesWebhook: true });
    expect(await listNotifications(service, merchant)).toMatchObject([
      { status: 'pending', attemptCount: 0, attempts: [] },
    ]);
    expect(await service.prisma.webhook.findUnique({ where: { id: webhook.id } })).toMatchObject({
      disabledAt: null,
    });
    await record(service, current, 204, { status: 'delivered', disablesWebhook: false });
    const delivered = {
      status: 'delivered',
      attemptCount: 1,
      attempts: [{ number: 1, responseStatus: 204 }],
    };
    expect(await listNotifications(service, merchant)).toMatchObject([delivered]);
    await record(service, current, 410, { status: 'failed', disablesWebhook: true });
    expect(await listNotifications(service, merchant)).toMatchObject([delivered]);
  });

  test('of a process that was killed during a request is sent again with the same bytes', async ({
    service,
    merchant,
  }) => {
    await using receiver = await startReceiver((request, response) => {
      if (request.index > 0) response.end();
    });
    await seedWebhook(service, merchant, { url: receiver.url });
    await seedDueNotifications(service, merchant, 1);
    const script = fileURLToPath(new URL('deliver-process.ts', import.meta.url));
    const child = spawn(process.execPath, [script, service.connectionString], { stdio: 'inherit' });
    onTestFinished(() => void child.kill('SIGKILL'));
    await receiver.waitFor((requests) => requests.length === 1, 20_000);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await deliverNotifications(service, { clock: clockAhead(31) });
    expect(receiver.requests).toHaveLength(2);
    const [first, second] = receiver.requests;
    expect(second?.raw.equals(first!.raw)).toBe(true);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(await listNotifications(service, merchant)).toMatchObject([
      { status: 'delivered', attemptCount: 1 },
    ]);
  });
});

describe('an endpoint that accepts connections and never responds', () => {
  test('delays no other endpoint, and has at most ten running deliveries', async ({ service, merchant }) => {
    await using dead = await startReceiver(neverRespond());
    await using healthy = await startReceiver();
    await seedWebhook(service, merchant, { url: dead.url });
    await seedDueNotifications(service, merchant, 120);
    await seedWebhook(service, merchant, { url: `${healthy.url}/late` });
    await seedDueNotifications(service, merchant, 20);
    const { deliver } = deliverer(service);
    const done = deliver();
    await healthy.waitFor((requests) => requests.length === 20, 5_000);
    await dead.waitFor((requests) => requests.length === 10);
    expect(dead.openMax()).toBe(10);
    await dead.stop();
    await done;
  });

  test('does not delay notifications that become due during its deliveries', async ({
    service,
    merchant,
  }) => {
    await using dead = await startReceiver(neverRespond());
    await using healthy = await startReceiver();
    await seedWebhook(service, merchant, { url: dead.url });
    await seedDueNotifications(service, merchant, 1);
    const { deliver } = deliverer(service);
    const done = deliver();
    await dead.waitFor((requests) => requests.length === 1);
    await seedWebhook(service, merchant, { url: healthy.url });
    await seedDueNotifications(service, merchant, 1);
    void deliver();
    await healthy.waitFor((requests) => requests.length === 1);
    await dead.stop();
    await done;
  });

  test('receives its next deliveries as soon as earlier ones time out', async ({ service, merchant }) => {
    await using dead = await startReceiver(neverRespond());
    await seedWebhook(service, merchant, { url: dead.url });
    await seedDueNotifications(service, merchant, 25);
    const now = new Date();
    // At a constant time, no retry becomes due.
    await deliverNotifications(service, { clock: { now: () => now }, timeoutMs: 500 });
    expect(dead.requests).toHaveLength(25);
    expect(dead.openMax()).toBe(10);
    expect(
      (await listNotifications(service, merchant)).map(({ status, attemptCount }) => [status, attemptCount]),
    ).toEqual(Array.from({ length: 25 }, () => ['pending', 1]));
  });
});

describe('an abort signal', () => {
  /** Delivers what is due, so that nothing is left for the next test. */
  const clearQueue = (service: ServiceOnDatabase) => deliverNotifications(service, { clock: systemClock });

  test('stops after the running deliveries, and leaves the rest due', async ({ service, merchant }) => {
    const controller = new AbortController();
    await using receiver = await startReceiver((_, response) => {
      controller.abort();
      response.end();
    });
    await seedWebhook(service, merchant, { url: receiver.url });
    await seedDueNotifications(service, merchant, 30);
    await deliverNotifications(service, { clock: systemClock, concurrency: 1, signal: controller.signal });
    expect(receiver.requests).toHaveLength(1);
    const rows = await listNotifications(service, merchant);
    expect(rows.filter(({ status }) => status === 'delivered')).toHaveLength(1);
    expect(
      rows.filter(({ status, leasedUntil }) => status === 'pending' && leasedUntil === null),
    ).toHaveLength(29);
    await clearQueue(service);
  });

  test('that is aborted already prevents every claim', async ({ service, merchant }) => {
    await using receiver = await startReceiver();
    await seedWebhook(service, merchant, { url: receiver.url });
    await seedDueNotifications(service, merchant, 1);
    await deliverNotifications(service, { clock: systemClock, signal: AbortSignal.abort() });
    expect(receiver.requests).toHaveLength(0);
    await clearQueue(service);
  });
});

test('an unreachable database is reported, and the next call delivers', async ({ service, merchant }) => {
  await using receiver = await startReceiver();
  await seedWebhook(service, merchant, { url: receiver.url });
  await seedDueNotifications(service, merchant, 1);
  const errors: Error[] = [];
  let isUnreachable = true;
  const query: typeof service.pool.query = (...args: unknown[]) => {
    if (isUnreachable) throw new Error('the database is unreachable');
    return Reflect.apply(service.pool.query, service.pool, args);
  };
  const pool = Object.assign(Object.create(service.pool), { query });
  const { deliver, stop } = startDeliverer(
    { ...service, pool },
    { clock: systemClock, onError: (error) => errors.push(error) },
  );
  await deliver();
  expect(errors.map(({ message }) => message)).toEqual(['the database is unreachable']);
  isUnreachable = false;
  await deliver();
  expect(receiver.requests).toHaveLength(1);
  await stop();
});

describe('order', () => {
  describe('first attempts about one object', () => {
    test('begin one after the other for each endpoint, over all workers, and delay no other object', async ({
      service,
      merchant,
    }) => {
      const { promise: responded, resolve: answer } = Promise.withResolvers<void>();
      await using receiver = await startReceiver(async (request, response) => {
        if (toNames([request])[0] === 'a1') await responded;
        response.end();
      });
      await seedWebhook(service, merchant, { url: receiver.url });
      await seedRelayedEvents(service, merchant, 'a1 a2 b1 a3 b2');
      const workers = [worker(service), worker(connectOtherProcess(onTestFinished, service))];
      const done = workers.map(({ deliver }) => deliver());
      await receiver.waitFor((requests) => toNames(requests).includes('b2'));
      expect(toNames(receiver.requests).toSorted()).toEqual(['a1', 'b1', 'b2']);
      answer();
      await receiver.waitFor(({ length }) => length === 5);
      expect(toNames(receiver.requests).filter((name) => name.startsWith('a'))).toEqual(['a1', 'a2', 'a3']);
      await Promise.all(done);
    });

    test('arrive in the order of their versions with concurrent workers', async ({ service, merchant }) => {
      await using receiver = await startReceiver((_, response) => void setTimeout(() => response.end(), 2));
      await seedWebhook(service, merchant, { url: receiver.url });
      const versions = Array.from({ length: 6 }, (_, i) => i + 1);
      const objects = ['a', 'b', 'c', 'd', 'e'];
      await seedRelayedEvents(
        service,
        merchant,
        versions.flatMap((version) => objects.map((object) => `${object}${version}`)).join(' '),
      );
      const workers = [
        service,
        connectOtherProcess(onTestFinished, service),
        connectOtherProcess(onTestFinished, service),
      ].map(worker);
      const poll = setInterval(() => {
        for (const { deliver } of workers) void deliver();
      }, 10);
      onTestFinished(() => clearInterval(poll));
      await receiver.waitFor(({ length }) => length === 30);
      for (const object of objects) {
        const ofObject = toNames(receiver.requests).filter((name) => name.startsWith(object));
        expect(ofObject).toEqual(versions.map((version) => `${object}${version}`));
      }
    });

    test('do not wait for other endpoints', async ({ service, merchant }) => {
      await using dead = await startReceiver(neverRespond());
      await using healthy = await startReceiver();
      await seedWebhook(service, merchant, { url: dead.url });
      await seedWebhook(service, merchant, { url: healthy.url });
      await seedRelayedEvents(service, merchant, 'a1 a2 a3');
      const done = worker(service).deliver();
      await healthy.waitFor(({ length }) => length === 3);
      expect(toNames(dead.requests)).toEqual(['a1']);
      await dead.stop();
      await done;
    });
  });

  describe('a retry', () => {
    const clock = createFakeClock(new Date());

    test('that is not due yet delays neither later events of its object nor other objects', async ({
      service,
      merchant,
    }) => {
      await using receiver = await startReceiver((request, response) => {
        response.writeHead(toNames([request])[0] === 'a1' ? 503 : 200).end();
      });
      await seedWebhook(service, merchant, { url: receiver.url });
      await seedRelayedEvents(service, merchant, 'a1 a2 b1');
      clock.set(new Date());
      await deliverNotifications(service, { clock });
      expect(toNames(receiver.requests).toSorted()).toEqual(['a1', 'a2', 'b1']);
      const where = { merchantId: merchant.merchant.id, status: 'pending' as const };
      expect(await service.prisma.notification.findMany({ where, include: { event: true } })).toMatchObject([
        { attemptCount: 1, event: { objectId: toObjectId(merchant, 'a1'), objectVersion: 1 } },
      ]);
    });

    test('that is running delays neither later events of its object nor other objects', async ({
      service,
      merchant,
    }) => {
      await using receiver = await startReceiver((request, response) => {
        if (request.index === 0) response.writeHead(503).end();
        else if (toNames([request])[0] !== 'a1') response.end();
      });
      await seedWebhook(service, merchant, { url: receiver.url });
      await seedRelayedEvents(service, merchant, 'a1');
      clock.set(new Date());
      await deliverNotifications(service, { clock });
      clock.advance(10_000);
      const { deliver, stop } = startDeliverer(service, { clock, onError: console.error });
      onTestFinished(stop);
      const done = deliver();
      await receiver.waitFor(({ length }) => length === 2);
      await seedRelayedEvents(service, merchant, 'a2 b1');
      void deliver();
      await receiver.waitFor(({ length }) => length === 4);
      expect(toNames(receiver.requests).slice(2).toSorted()).toEqual(['a2', 'b1']);
      await receiver.stop();
      await done;
    });
  });
});

describe('webhook changes', () => {
  test('apply to waiting notifications: they are sent with the current password and secret', async ({
    service,
  }) => {
    const { receiver, owner, signingSecret: oldSecret, resume } = await startBlockedDeliveries(service);
    await updateWebhook(service, { ...owner, input: { password: 'new sesame' } });
    const { signingSecret: newSecret } = await rotateWebhookSecret(service, { ...owner, overlapHours: 0 });
    await resume();
    expect(receiver.requests).toHaveLength(events);
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(events);
    for (const { index, headers, body } of receiver.requests) {
      const isOld = index < promptResponses + defaultConcurrency;
      const [password, secret] = isOld ? ['old sesame', oldSecret] : ['new sesame', newSecret];
      expect(headers.authorization).toBe(`Basic ${Buffer.from(`shop:${password}`).toString('base64')}`);
      new StandardWebhook(secret).verify(body, headers as Record<string, string>);
    }
  });

  test('apply to waiting notifications: they are not sent once the webhook is deleted', async ({
    service,
  }) => {
    const { receiver, owner, resume } = await startBlockedDeliveries(service);
    await deleteWebhook(service, owner);
    await resume();
    expect(receiver.requests).toHaveLength(promptResponses + defaultConcurrency);
    const rows = await service.prisma.notification.groupBy({
      by: ['status'],
      where: { merchantId: owner.merchantId },
      _count: true,
    });
    expect(Object.fromEntries(rows.map(({ status, _count }) => [status, _count]))).toEqual({
      delivered: promptResponses + defaultConcurrency,
      skipped: events - promptResponses - defaultConcurrency,
    });
  });
});
