import { beforeEach, describe, expect, onTestFinished, vi } from 'vitest';
import { relayEvents } from '../../src/event/relay-events.ts';
import { systemClock } from '../../src/kit/clock.ts';
import { claimSql, dueQueuesSql } from '../../src/notification/claim-notifications.ts';
import { createSlots, type DueQueue } from '../../src/notification/slots.ts';
import { startDeliverer } from '../../src/notification/start-deliverer.ts';
import { count } from '../setup/counts.ts';
import { serviceTest as test } from '../setup/fixtures.ts';
import { seedDueNotifications, seedEvent, seedWebhook } from '../setup/notifications.ts';
import { neverRespond, startReceiver } from '../setup/receiver.ts';
import { connectOtherProcess, type ServiceOnDatabase } from '../setup/service.ts';

const queue = (key: string, options: Partial<DueQueue> = {}): DueQueue => ({
  key,
  merchantId: 'mer_1',
  due: 100,
  failing: false,
  disabled: false,
  concurrency: null,
  ratePerSecond: null,
  ...options,
});

const getGranted = (slots: ReturnType<typeof createSlots>, queues: readonly DueQueue[]) =>
  Object.fromEntries(slots.grant(queues).slots);

/** Starts all granted deliveries, as a process does. Returns the functions that free their slots. */
const takeAll = (slots: ReturnType<typeof createSlots>, queues: readonly DueQueue[]) =>
  [...slots.grant(queues).slots].flatMap(([key, count]) =>
    Array.from({ length: count }, () => slots.take(key)),
  );

/** Starts a worker with its own database connections, as another process has them. */
function worker(service: ServiceOnDatabase, concurrency = 200) {
  const options = { clock: systemClock, concurrency, onError: console.error };
  const deliverer = startDeliverer(connectOtherProcess(onTestFinished, service), options);
  onTestFinished(deliverer.stop);
  return deliverer;
}

/** Copies the only notification of a webhook; the copies are overdue. */
async function seedBacklog(service: ServiceOnDatabase, webhookId: string, count: number): Promise<void> {
  await service.pool.query(
    `WITH copied AS (
       INSERT INTO event (id, merchant_id, mode, type, object_id, object_version, payload, actor, relayed_at, created_at)
       SELECT event.id || 'x' || i, event.merchant_id, event.mode, type, object_id || i, object_version, payload, actor,
         relayed_at, event.created_at
       FROM event JOIN notification ON event_id = event.id AND webhook_id = $1, generate_series(1, $2::int) i
       RETURNING id)
     INSERT INTO notification (id, merchant_id, mode, event_id, event_type, kind, webhook_id, url, queue_key, status, next_attempt_at, created_at)
     SELECT 'nt_' || copied.id, merchant_id, mode, copied.id, event_type, kind, webhook_id, url, queue_key, status,
       next_attempt_at - interval '1 hour', created_at
     FROM notification, copied WHERE webhook_id = $1`,
    [webhookId, count],
  );
}

/** Expects that a statement reads few rows, by the indexes of pending notifications. */
async function expectSteps(
  service: ServiceOnDatabase,
  sql: string,
  values: readonly unknown[],
  rowsMax: number,
): Promise<void> {
  const client = await service.pool.connect();
  await client.query('BEGIN');
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(
    `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) ${sql}`,
    [new Date(), ...values],
  );
  await client.query('ROLLBACK');
  client.release();
  const lines = rows.map((row) => row['QUERY PLAN']);
  const text = lines.join('\n');
  const read = lines
    .filter((line) => /Scan.* on (?:notification|event)/.test(line))
    .map((line) => {
      const [, actual = '0', loops = '1'] = /actual rows=([\d.]+) loops=(\d+)/.exec(line) ?? [];
      return Number(actual) * Number(loops);
    });
  expect(
    read.reduce((sum, count) => sum + count, 0),
    text,
  ).toBeLessThan(rowsMax);
  expect(text).not.toMatch(/Seq Scan on (?:notification|event)/);
}

describe('createSlots', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
  });

  test('grants a queue a slot for each due delivery up to its limit, and again when a delivery ends', () => {
    const slots = createSlots({ total: 100, perQueue: 2 });
    expect(
      getGranted(slots, [queue('shop'), queue('small', { due: 1 }), queue('wide', { concurrency: 5 })]),
    ).toEqual({
      shop: 2,
      small: 1,
      wide: 5,
    });
    const limited = queue('limited', { ratePerSecond: 1_000 });
    const releases = takeAll(slots, [limited]);
    expect(slots.inUse()).toBe(2);
    expect(getGranted(slots, [limited])).toEqual({});
    releases[0]!();
    expect(getGranted(slots, [limited])).toEqual({ limited: 1 });
    releases[1]!();
    expect(slots.inUse()).toBe(0);
  });

  test('grants a failing webhook two slots, regardless of its concurrency', () => {
    const slots = createSlots({ total: 100, perQueue: 10 });
    expect(getGranted(slots, [queue('dead', { failing: true, concurrency: 50 })])).toEqual({ dead: 2 });
  });

  test('grants failing webhooks at most half of all slots', () => {
    const slots = createSlots({ total: 8, perQueue: 2 });
    const dead = Array.from({ length: 6 }, (_, i) => queue(`dead ${i}`, { failing: true }));
    const releases = takeAll(slots, dead);
    expect(releases).toHaveLength(4);
    expect(getGranted(slots, [...dead, queue('shop')])).toEqual({ shop: 2 });
    releases[0]!();
    const more = getGranted(slots, dead);
    expect(Object.values(more)).toEqual([1]);
  });

  test('treats the callbacks to a host as failing from a failed attempt to the next success', () => {
    const slots = createSlots({ total: 100, perQueue: 10 });
    const host = queue('mer_1 https://shop.example.com');
    expect(getGranted(slots, [host])).toEqual({ [host.key]: 10 });
    slots.recordCallback(host.key, { hasFailed: true });
    expect(getGranted(slots, [host])).toEqual({ [host.key]: 2 });
    slots.recordCallback(host.key, { hasFailed: false });
    expect(getGranted(slots, [host])).toEqual({ [host.key]: 10 });
  });

  test('grants slots to merchants in turn, so that the backlog of one does not delay another', () => {
    const slots = createSlots({ total: 8, perQueue: 8 });
    const large = Array.from({ length: 50 }, (_, i) => queue(`large ${i}`));
    const { small, ...otherGranted } = getGranted(slots, [...large, queue('small', { merchantId: 'mer_2' })]);
    expect(small).toBe(4);
    expect(Object.keys(otherGranted)).toHaveLength(4);
  });

  test('grants a disabled webhook slots for skipped notifications, regardless of its limits', () => {
    const slots = createSlots({ total: 512, perQueue: 10 });
    expect(getGranted(slots, [queue('off', { disabled: true, failing: true, ratePerSecond: 1 })])).toEqual({
      off: 100,
    });
  });

  test('grants a queue no more slots in a second than its rate allows', () => {
    const slots = createSlots({ total: 100, perQueue: 10 });
    const limited = queue('limited', { ratePerSecond: 3 });
    for (const release of takeAll(slots, [limited])) release();
    vi.advanceTimersByTime(400);
    expect(slots.grant([limited])).toEqual({ slots: new Map(), rateFreesInMs: 600 });
    vi.advanceTimersByTime(601);
    expect(getGranted(slots, [limited])).toEqual({ limited: 3 });
  });
});

describe('the concurrency of a webhook', () => {
  test('limits the deliveries of all workers together', async ({ service, merchant }) => {
    await using receiver = await startReceiver((_, response) => void setTimeout(() => response.end(), 5));
    await seedWebhook(service, merchant, { url: receiver.url, concurrency: 3 });
    await seedDueNotifications(service, merchant, 60);
    const workers = [worker(service), worker(service)];
    for (const { deliver } of workers) void deliver();
    await receiver.waitFor((requests) => requests.length === 60, 20_000);
    expect(receiver.openMax()).toBeLessThanOrEqual(3);
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(60);
  });

  test('is two for the callbacks to a host that fail', async ({ service, merchant }) => {
    await using receiver = await startReceiver(
      (_, response) => void setTimeout(() => response.writeHead(500).end(), 20),
    );
    const callbackUrl = receiver.url;
    const seed = async (count: number) => {
      for (let i = 0; i < count; i++) await seedEvent(service, merchant, { callbackUrl });
      await relayEvents(service, { now: new Date() });
    };
    const { deliver } = worker(service);
    await seed(1);
    await deliver();
    const before = receiver.requests.length;
    await seed(20);
    await deliver();
    expect(receiver.requests.length - before).toBe(20);
    expect(receiver.openMax()).toBeLessThanOrEqual(2);
  });

  test('is available to other workers as soon as a worker stops', async ({ service, merchant }) => {
    await using receiver = await startReceiver();
    const { id } = await seedWebhook(service, merchant, { url: receiver.url, concurrency: 1 });
    await seedDueNotifications(service, merchant, 2);
    const first = worker(service);
    await first.deliver();
    await first.stop();
    expect(await service.prisma.webhook.findUnique({ where: { id } })).toMatchObject({ leasedBy: null });
    await seedDueNotifications(service, merchant, 1);
    await worker(service).deliver();
    expect(receiver.requests).toHaveLength(3);
  });

  test('may exceed the default of ten', async ({ service, merchant }) => {
    await using receiver = await startReceiver(neverRespond());
    await seedWebhook(service, merchant, { url: receiver.url, concurrency: 25 });
    await seedDueNotifications(service, merchant, 40);
    void worker(service).deliver();
    await receiver.waitFor((requests) => requests.length === 25);
    expect(receiver.openMax()).toBe(25);
    await receiver.stop();
  });
});

describe('the rate of a webhook', () => {
  test('limits how many deliveries begin in any second', async ({ service, merchant }) => {
    await using receiver = await startReceiver();
    const { id } = await seedWebhook(service, merchant, { url: receiver.url, ratePerSecond: 10 });
    await seedDueNotifications(service, merchant, 25);
    await worker(service).deliver();
    const attempts = await service.prisma.notificationAttempt.findMany({
      where: { notification: { webhookId: id } },
      orderBy: { startedAt: 'asc' },
    });
    const times = attempts.map(({ startedAt }) => startedAt.getTime());
    expect(times).toHaveLength(25);
    // The 11th begins a second after the first at the earliest; load on the machine only increases the distance.
    const spans = times.slice(10).map((time, i) => time - times[i]!);
    expect(Math.min(...spans)).toBeGreaterThan(900);
  });
});

describe('failing endpoints', () => {
  test('leave half of the slots to others, however many they are', async ({ service, merchant }) => {
    await using dead = await startReceiver(neverRespond());
    await using healthy = await startReceiver();
    for (let i = 0; i < 8; i++) {
      const { id } = await seedWebhook(service, merchant, { url: `${dead.url}/${i}` });
      await service.prisma.webhook.update({
        where: { id },
        data: { failingSince: new Date(), consecutiveFailures: 9 },
      });
    }
    await seedDueNotifications(service, merchant, 5);
    await seedWebhook(service, merchant, { url: healthy.url });
    await seedDueNotifications(service, merchant, 5);
    void worker(service, 8).deliver();
    await healthy.waitFor((requests) => requests.length === 5);
    expect(dead.openMax()).toBeLessThanOrEqual(4);
    await dead.stop();
  });

  test(
    'with a million due deliveries or ten thousand waiting queues cost a claim one index step each',
    async ({ service, merchant }) => {
      await using healthy = await startReceiver();
      await service.prisma.notification.updateMany({
        where: { status: 'pending' },
        data: { status: 'skipped', nextAttemptAt: null, leasedUntil: null, finishedAt: new Date() },
      });
      const dead = await seedWebhook(service, merchant, { url: 'http://127.0.0.1:9/dead' });
      await seedDueNotifications(service, merchant, 1);
      await seedBacklog(service, dead.id, count(20_000, 1_000_000));
      const shop = await seedWebhook(service, merchant, { url: healthy.url });
      await seedDueNotifications(service, merchant, 1);
      // Autovacuum analyzes a table that has grown within a minute. Until then, a claim may sort the backlog.
      await service.pool.query('ANALYZE notification, event, webhook');
      await expectSteps(service, dueQueuesSql, [], 520);
      await expectSteps(
        service,
        claimSql,
        [new Date(Date.now() + 30_000), [dead.id, shop.id], [10, 10], 1],
        120,
      );
      await service.pool.query(
        `UPDATE notification SET next_attempt_at = now() + interval '1 hour',
           queue_key = queue_key || substr(id, length(id) - 3)
         WHERE webhook_id = $1`,
        [dead.id],
      );
      await expectSteps(service, dueQueuesSql, [], 20);
      await service.prisma.webhook.update({ where: { id: dead.id }, data: { deletedAt: new Date() } });
    },
    count(60_000, 600_000),
  );
});
