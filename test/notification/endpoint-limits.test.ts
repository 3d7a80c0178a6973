import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { systemClock } from '../../src/kit/clock.ts';
import { claimSql, dueQueuesSql } from '../../src/notification/claim-notifications.ts';
import { startDeliverer } from '../../src/notification/start-deliverer.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { count } from '../setup/counts.ts';
import { seedDueNotifications, seedWebhook } from '../setup/notifications.ts';
import { neverRespond, startReceiver } from '../setup/receiver.ts';
import { seedMerchant } from '../setup/seed.ts';
import { connectOtherProcess, type ServiceOnDatabase, setupService } from '../setup/service.ts';

const onCleanup = cleanupAfterFile();

let service: ServiceOnDatabase;
let merchant: NewMerchant;

beforeAll(async () => {
  service = await setupService(onCleanup);
});

beforeEach(async () => {
  merchant = await seedMerchant(service);
});

/** One more worker, as another process has it. */
function worker(concurrency = 200) {
  const options = { clock: systemClock, concurrency, onError: console.error };
  const deliverer = startDeliverer(connectOtherProcess(onCleanup, service), options);
  onTestFinished(deliverer.stop);
  return deliverer;
}

describe('the concurrency of a webhook', () => {
  test('holds over all workers', async () => {
    await using receiver = await startReceiver((_, response) => void setTimeout(() => response.end(), 5));
    await seedWebhook(service, merchant, { url: receiver.url, concurrency: 3 });
    await seedDueNotifications(service, merchant, 60);
    const workers = [worker(), worker()];
    for (const { deliver } of workers) void deliver();
    await receiver.waitFor((requests) => requests.length === 60, 20_000);
    expect(receiver.openMax()).toBeLessThanOrEqual(3);
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(60);
  });

  test('of a worker that stops is another’s at once', async () => {
    await using receiver = await startReceiver();
    const { id } = await seedWebhook(service, merchant, { url: receiver.url, concurrency: 1 });
    await seedDueNotifications(service, merchant, 2);
    const first = worker();
    await first.deliver();
    await first.stop();
    expect(await service.prisma.webhook.findUnique({ where: { id } })).toMatchObject({ leasedBy: null });
    await seedDueNotifications(service, merchant, 1);
    await worker().deliver();
    expect(receiver.requests).toHaveLength(3);
  });

  test('may be more than the ten that others have', async () => {
    await using receiver = await startReceiver(neverRespond());
    await seedWebhook(service, merchant, { url: receiver.url, concurrency: 25 });
    await seedDueNotifications(service, merchant, 40);
    void worker().deliver();
    await receiver.waitFor((requests) => requests.length === 25);
    expect(receiver.openMax()).toBe(25);
    await receiver.stop();
  });
});

describe('the rate of a webhook', () => {
  test('is the most that begins in any second', async () => {
    await using receiver = await startReceiver();
    const { id } = await seedWebhook(service, merchant, { url: receiver.url, ratePerSecond: 10 });
    await seedDueNotifications(service, merchant, 25);
    await worker().deliver();
    const attempts = await service.prisma.notificationAttempt.findMany({
      where: { notification: { webhookId: id } },
      orderBy: { startedAt: 'asc' },
    });
    const times = attempts.map(({ startedAt }) => startedAt.getTime());
    expect(times).toHaveLength(25);
    // The 11th comes a second after the first at the earliest; what a machine under load adds only spreads them more.
    const spans = times.slice(10).map((time, i) => time - times[i]!);
    expect(Math.min(...spans)).toBeGreaterThan(900);
  });
});

describe('endpoints that fail', () => {
  test('leave half of the slots to the others, however many they are', async () => {
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
    void worker(8).deliver();
    await healthy.waitFor((requests) => requests.length === 5);
    expect(dead.openMax()).toBeLessThanOrEqual(4);
    await dead.stop();
  });

  test(
    'with a million deliveries due, or waiting in ten thousand queues, cost a claim a step of an index each',
    async () => {
      await using healthy = await startReceiver();
      await service.prisma.notification.updateMany({
        where: { status: 'pending' },
        data: { status: 'skipped', nextAttemptAt: null, leasedUntil: null, finishedAt: new Date() },
      });
      const dead = await seedWebhook(service, merchant, { url: 'http://127.0.0.1:9/dead' });
      await seedDueNotifications(service, merchant, 1);
      await makeBacklog(dead.id, count(20_000, 1_000_000));
      const shop = await seedWebhook(service, merchant, { url: healthy.url });
      await seedDueNotifications(service, merchant, 1);
      // With the statistics of an empty table, and with those of the backlog.
      for (const analyze of ['', 'ANALYZE notification, event, webhook']) {
        await service.pool.query(analyze);
        await expectSteps(dueQueuesSql, [], 520);
        await expectSteps(claimSql, [new Date(Date.now() + 30_000), [dead.id, shop.id], [10, 10]], 120);
      }
      await service.pool.query(
        `UPDATE notification SET next_attempt_at = now() + interval '1 hour',
           queue_key = queue_key || substr(id, length(id) - 3)
         WHERE webhook_id = $1`,
        [dead.id],
      );
      await expectSteps(dueQueuesSql, [], 20);
      await service.prisma.webhook.update({ where: { id: dead.id }, data: { deletedAt: new Date() } });
    },
    count(60_000, 600_000),
  );
});

/** Copies the one notification of a webhook, all due for long. */
async function makeBacklog(webhookId: string, count: number): Promise<void> {
  await service.pool.query(
    `WITH copied AS (
       INSERT INTO event (id, merchant_id, mode, type, object_id, object_version, payload, actor, relayed_at, created_at)
       SELECT event.id || 'x' || i, event.merchant_id, event.mode, type, object_id || i, object_version, payload, actor,
         relayed_at, event.created_at
       FROM event JOIN notification ON event_id = event.id AND webhook_id = $1, generate_series(1, $2::int) i
       RETURNING id)
     INSERT INTO notification (id, merchant_id, mode, event_id, kind, webhook_id, url, queue_key, status, next_attempt_at, created_at)
     SELECT 'nt_' || copied.id, merchant_id, mode, copied.id, kind, webhook_id, url, queue_key, status,
       next_attempt_at - interval '1 hour', created_at
     FROM notification, copied WHERE webhook_id = $1`,
    [webhookId, count],
  );
}

/** The rows that a statement reads now, and that it reads them by the indexes of what is pending. */
async function expectSteps(sql: string, values: readonly unknown[], rowsMax: number): Promise<void> {
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
