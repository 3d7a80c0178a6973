import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { systemClock } from '../../src/kit/clock.ts';
import { claimNotifications, type NotificationClaim } from '../../src/notification/claim-notifications.ts';
import type { NextNotificationState } from '../../src/notification/notification-state.ts';
import { createRecorder } from '../../src/notification/record-attempts.ts';
import { type DelivererOptions, startDeliverer } from '../../src/notification/start-deliverer.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { deliverNotifications } from '../setup/deliver-notifications.ts';
import { seedDueNotifications, seedWebhook } from '../setup/notifications.ts';
import { neverRespond, startReceiver } from '../setup/receiver.ts';
import { seedMerchant } from '../setup/seed.ts';
import { connectOtherProcess, type ServiceOnDatabase, setupService } from '../setup/service.ts';

const onCleanup = cleanupAfterFile();

let service: ServiceOnDatabase;
let merchant: NewMerchant;
const ahead = (seconds: number) => ({ now: () => new Date(Date.now() + seconds * 1_000) });

beforeAll(async () => {
  service = await setupService(onCleanup);
});

beforeEach(async () => {
  merchant = await seedMerchant(service);
});

const notifications = () =>
  service.prisma.notification.findMany({
    where: { merchantId: merchant.merchant.id },
    include: { attempts: true },
  });

function deliverer(options: Partial<DelivererOptions> = {}) {
  const started = startDeliverer(service, { clock: systemClock, onError: console.error, ...options });
  onTestFinished(() => started.stop());
  return started;
}

test('two processes deliver each notification once', async () => {
  await using receiver = await startReceiver();
  await seedWebhook(service, merchant, { url: receiver.url });
  await seedDueNotifications(service, merchant, 100);
  await Promise.all([
    deliverNotifications(service, { clock: systemClock }),
    deliverNotifications(connectOtherProcess(onCleanup, service), { clock: systemClock }),
  ]);
  expect(receiver.requests).toHaveLength(100);
  expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(100);
  expect(
    (await notifications()).every(({ status, attempts }) => status === 'delivered' && attempts.length === 1),
  ).toBe(true);
});

describe('a claim', () => {
  const record = (claim: NotificationClaim, status: number, next: NextNotificationState) => {
    const result = { status, error: null, answer: '', retryAfter: null, durationMs: 1 };
    const attempt = { claim, startedAt: new Date(), endedAt: new Date(), result, next };
    return createRecorder(service, () => {})(attempt);
  };
  const claimOne = async (webhook: { id: string }, now = new Date()) => {
    const leasedUntil = new Date(now.getTime() + 30_000);
    const [claim] = await claimNotifications(service, {
      now,
      leasedUntil,
      slots: new Map([[webhook.id, 1]]),
    });
    return claim!;
  };

  test('of a killed process is taken over when it runs out, not before', async () => {
    await using receiver = await startReceiver();
    const webhook = await seedWebhook(service, merchant, { url: receiver.url });
    await seedDueNotifications(service, merchant, 1);
    await claimOne(webhook);
    await deliverNotifications(service, { clock: ahead(25) });
    expect(receiver.requests).toHaveLength(0);
    await deliverNotifications(service, { clock: ahead(31) });
    expect(receiver.requests).toHaveLength(1);
  });

  test('that was taken over counts no more, whatever its attempt says', async () => {
    const webhook = await seedWebhook(service, merchant);
    await seedDueNotifications(service, merchant, 1);
    const lapsed = await claimOne(webhook);
    const holding = await claimOne(webhook, ahead(31).now());
    expect(holding.id).toBe(lapsed.id);
    await record(lapsed, 410, { status: 'failed', disablesWebhook: true });
    expect(await notifications()).toMatchObject([{ status: 'pending', attemptCount: 0, attempts: [] }]);
    expect(await service.prisma.webhook.findUnique({ where: { id: webhook.id } })).toMatchObject({
      disabledAt: null,
    });
    await record(holding, 204, { status: 'delivered', disablesWebhook: false });
    const delivered = {
      status: 'delivered',
      attemptCount: 1,
      attempts: [{ number: 1, responseStatus: 204 }],
    };
    expect(await notifications()).toMatchObject([delivered]);
    await record(holding, 410, { status: 'failed', disablesWebhook: true });
    expect(await notifications()).toMatchObject([delivered]);
  });

  test('of a process that was killed in the midst of a post: the same bytes are sent again', async () => {
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
    await deliverNotifications(service, { clock: ahead(31) });
    expect(receiver.requests).toHaveLength(2);
    const [first, second] = receiver.requests;
    expect(second?.raw.equals(first!.raw)).toBe(true);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(await notifications()).toMatchObject([{ status: 'delivered', attemptCount: 1 }]);
  });
});

describe('an endpoint that takes connections and never answers', () => {
  test('delays no other, and has at most ten deliveries under way', async () => {
    await using dead = await startReceiver(neverRespond());
    await using healthy = await startReceiver();
    await seedWebhook(service, merchant, { url: dead.url });
    await seedDueNotifications(service, merchant, 120);
    await seedWebhook(service, merchant, { url: `${healthy.url}/late` });
    await seedDueNotifications(service, merchant, 20);
    const { deliver } = deliverer();
    const done = deliver();
    await healthy.waitFor((requests) => requests.length === 20, 5_000);
    await dead.waitFor((requests) => requests.length === 10);
    expect(dead.openMax()).toBe(10);
    await dead.stop();
    await done;
  });

  test('does not keep waiting what falls due while its deliveries are under way', async () => {
    await using dead = await startReceiver(neverRespond());
    await using healthy = await startReceiver();
    await seedWebhook(service, merchant, { url: dead.url });
    await seedDueNotifications(service, merchant, 1);
    const { deliver } = deliverer();
    const done = deliver();
    await dead.waitFor((requests) => requests.length === 1);
    await seedWebhook(service, merchant, { url: healthy.url });
    await seedDueNotifications(service, merchant, 1);
    void deliver();
    await healthy.waitFor((requests) => requests.length === 1);
    await dead.stop();
    await done;
  });

  test('gets its next deliveries as soon as earlier ones have timed out', async () => {
    await using dead = await startReceiver(neverRespond());
    await seedWebhook(service, merchant, { url: dead.url });
    await seedDueNotifications(service, merchant, 25);
    const now = new Date();
    // By a clock that stands still no retry falls due.
    await deliverNotifications(service, { clock: { now: () => now }, timeoutMs: 500 });
    expect(dead.requests).toHaveLength(25);
    expect(dead.openMax()).toBe(10);
    expect((await notifications()).map(({ status, attemptCount }) => [status, attemptCount])).toEqual(
      Array.from({ length: 25 }, () => ['pending', 1]),
    );
  });
});

describe('the signal', () => {
  /** The next test finds nothing due of this one. */
  const clearQueue = () => deliverNotifications(service, { clock: systemClock });

  test('ends it after what is under way, and leaves the rest due', async () => {
    const controller = new AbortController();
    await using receiver = await startReceiver((_, response) => {
      controller.abort();
      response.end();
    });
    await seedWebhook(service, merchant, { url: receiver.url });
    await seedDueNotifications(service, merchant, 30);
    await deliverNotifications(service, { clock: systemClock, concurrency: 1, signal: controller.signal });
    expect(receiver.requests).toHaveLength(1);
    const rows = await notifications();
    expect(rows.filter(({ status }) => status === 'delivered')).toHaveLength(1);
    expect(
      rows.filter(({ status, leasedUntil }) => status === 'pending' && leasedUntil === null),
    ).toHaveLength(29);
    await clearQueue();
  });

  test('given already, nothing is claimed', async () => {
    await using receiver = await startReceiver();
    await seedWebhook(service, merchant, { url: receiver.url });
    await seedDueNotifications(service, merchant, 1);
    await deliverNotifications(service, { clock: systemClock, signal: AbortSignal.abort() });
    expect(receiver.requests).toHaveLength(0);
    await clearQueue();
  });
});

test('a database that is away is told, and the next call delivers', async () => {
  await using receiver = await startReceiver();
  await seedWebhook(service, merchant, { url: receiver.url });
  await seedDueNotifications(service, merchant, 1);
  const errors: Error[] = [];
  let away = true;
  const query: typeof service.pool.query = (...args: unknown[]) => {
    if (away) throw new Error('the database is away');
    return Reflect.apply(service.pool.query, service.pool, args);
  };
  const pool = Object.assign(Object.create(service.pool), { query });
  const { deliver, stop } = startDeliverer(
    { ...service, pool },
    { clock: systemClock, onError: (error) => errors.push(error) },
  );
  await deliver();
  expect(errors.map(({ message }) => message)).toEqual(['the database is away']);
  away = false;
  await deliver();
  expect(receiver.requests).toHaveLength(1);
  await stop();
});
