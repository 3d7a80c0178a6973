import { randomBytes } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { NewMerchant } from '../../src/domain/merchant/create-merchant.ts';
import { systemClock } from '../../src/kit/clock.ts';
import { claimSettings, claimSql } from '../../src/notification/claim-sql.ts';
import { startDeliverer } from '../../src/notification/start-deliverer.ts';
import { count } from '../setup/counts.ts';
import { makeMerchant } from '../setup/makers.ts';
import { makeDue, makeWebhook } from '../setup/notifications.ts';
import { silent, startReceiver } from '../setup/receiver.ts';
import { otherProcess, type ServiceOnDatabase, testService } from '../setup/service.ts';

let service: ServiceOnDatabase;
let merchant: NewMerchant;

beforeAll(async () => {
  service = await testService();
});

beforeEach(async () => {
  merchant = await makeMerchant(service);
});

/** One more worker, as another process has it. */
function worker(concurrency = 200) {
  const options = { clock: systemClock, concurrency, onFault: console.error };
  const deliverer = startDeliverer(otherProcess(service), options);
  onTestFinished(deliverer.stop);
  return deliverer;
}

describe('the concurrency of a webhook', () => {
  test('holds over all workers', async () => {
    await using receiver = await startReceiver((_, response) => void setTimeout(() => response.end(), 5));
    await makeWebhook(service, merchant, { url: receiver.url, concurrency: 3 });
    await makeDue(service, merchant, 60);
    const workers = [worker(), worker()];
    for (const { deliver } of workers) void deliver();
    await receiver.waitFor((requests) => requests.length === 60, 20_000);
    expect(receiver.openMax()).toBeLessThanOrEqual(3);
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(60);
  });

  test('of a worker that stops is another’s at once', async () => {
    await using receiver = await startReceiver();
    const { id } = await makeWebhook(service, merchant, { url: receiver.url, concurrency: 1 });
    await makeDue(service, merchant, 2);
    const first = worker();
    await first.deliver();
    await first.stop();
    expect(await service.prisma.webhook.findUnique({ where: { id } })).toMatchObject({ leaseHolder: null });
    await makeDue(service, merchant, 1);
    await worker().deliver();
    expect(receiver.requests).toHaveLength(3);
  });

  test('may be more than the ten that others have', async () => {
    await using receiver = await startReceiver(silent());
    await makeWebhook(service, merchant, { url: receiver.url, concurrency: 25 });
    await makeDue(service, merchant, 40);
    void worker().deliver();
    await receiver.waitFor((requests) => requests.length === 25);
    expect(receiver.openMax()).toBe(25);
    await receiver.stop();
  });
});

describe('the rate of a webhook', () => {
  test('is the most that begins in any second', async () => {
    await using receiver = await startReceiver();
    const { id } = await makeWebhook(service, merchant, { url: receiver.url, ratePerSecond: 10 });
    await makeDue(service, merchant, 25);
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
  test('leave half of the places to the others, however many they are', async () => {
    await using dead = await startReceiver(silent());
    await using healthy = await startReceiver();
    for (let i = 0; i < 8; i++) {
      const { id } = await makeWebhook(service, merchant, { url: `${dead.url}/${i}` });
      await service.prisma.webhook.update({
        where: { id },
        data: { failingSince: new Date(), failuresInRow: 9 },
      });
    }
    await makeDue(service, merchant, 5);
    await makeWebhook(service, merchant, { url: healthy.url });
    await makeDue(service, merchant, 5);
    void worker(8).deliver();
    await healthy.waitFor((requests) => requests.length === 5);
    expect(dead.openMax()).toBeLessThanOrEqual(4);
    await dead.stop();
  });

  test(
    'with a million deliveries due, paused, or waiting in ten thousand lanes, are passed over in a step',
    async () => {
      await using healthy = await startReceiver();
      const { explain, end } = await claimer();
      await explain('none');
      await service.prisma.notification.updateMany({
        where: { status: 'pending' },
        data: { status: 'skipped', nextAttemptAt: null, claimedUntil: null, finishedAt: new Date() },
      });
      const { id } = await makeWebhook(service, merchant, { url: 'http://127.0.0.1:9/dead' });
      await makeDue(service, merchant, 1);
      await makeBacklog(id, count(3_000, 1_000_000));
      await makeWebhook(service, merchant, { url: healthy.url });
      await makeDue(service, merchant, 1);
      const expectSteps = async (lane: string, rowsMax: number) => {
        const plan = await explain(lane);
        expect(plan.claimed).toBe(1);
        expect(plan.rowsRead, plan.text).toBeLessThan(rowsMax);
        expect(plan.text).toContain('notification_pending_lane_idx');
        expect(plan.text).toContain('notification_pending_time_idx');
        expect(plan.text).not.toMatch(/Seq Scan on (?:notification|event|webhook)/);
      };
      // As the planner knew the table while it was empty, and as it is.
      await expectSteps(id, 1_200);
      await service.pool.query('ANALYZE notification, event, webhook');
      await expectSteps(id, 1_200);
      await service.pool.query(
        `UPDATE webhook SET concurrency = 1, lease_holder = 'another', leased_until = now() + interval '1 hour' WHERE id = $1`,
        [id],
      );
      await expectSteps('none', 1_200);
      await service.pool.query(
        `UPDATE notification SET next_attempt_at = now() + interval '1 hour', lane = lane || substr(id, length(id) - 3)
         WHERE webhook_id = $1`,
        [id],
      );
      await expectSteps('none', 50);
      end();
      await service.prisma.webhook.update({ where: { id }, data: { deletedAt: new Date() } });
    },
    count(60_000, 600_000),
  );
});

/** Copies the one notification of a webhook, all due for long. */
async function makeBacklog(webhookId: string, count: number): Promise<void> {
  await service.pool.query(
    `WITH copied AS (
       INSERT INTO event (id, merchant_id, mode, message, object_id, object_version, payload, actor, relayed_at, created_at)
       SELECT event.id || 'x' || i, event.merchant_id, event.mode, message, object_id || i, object_version, payload, actor,
         relayed_at, event.created_at
       FROM event JOIN notification ON event_id = event.id AND webhook_id = $1, generate_series(1, $2::int) i
       RETURNING id)
     INSERT INTO notification (id, merchant_id, mode, event_id, kind, webhook_id, url, lane, status, next_attempt_at, created_at)
     SELECT 'nt_' || copied.id, merchant_id, mode, copied.id, kind, webhook_id, url, lane, status,
       next_attempt_at - interval '1 hour', created_at
     FROM notification, copied WHERE webhook_id = $1`,
    [webhookId, count],
  );
}

/**
 * What the claim reads when the lane has all its places in use, by the plan that it keeps: made on a connection that
 * claimed while the queue was empty.
 */
async function claimer(): Promise<{
  explain: (lane: string) => Promise<{ claimed: number; rowsRead: number; text: string }>;
  end: () => void;
}> {
  const client = await service.pool.connect();
  const types =
    'timestamptz, timestamptz, bigint, int, text[], int[], int[], text, bigint, boolean[], text[], bigint[], bigint';
  await client.query(`PREPARE claim (${types}) AS ${claimSql}`);
  const explain = async (lane: string) => {
    const holder = randomBytes(4).toString('hex');
    await client.query(`BEGIN; ${claimSettings}`);
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF)
       EXECUTE claim (now(), now(), 200, 10, ARRAY['${lane}'], ARRAY[10], ARRAY[0], '${holder}', 100, ARRAY[false],
         ARRAY['${merchant.merchant.id}'], ARRAY[140], 150)`,
    );
    await client.query('ROLLBACK');
    const lines = rows.map((row) => row['QUERY PLAN']);
    const scans = lines.filter((line) => /Scan.* on (?:notification|event)/.test(line));
    const read = scans.map((line) => {
      const [, count = '0', loops = '1'] = /actual rows=([\d.]+) loops=(\d+)/.exec(line) ?? [];
      return Number(count) * Number(loops);
    });
    const [, claimed] = /^Update on notification \(actual rows=(\d+)/.exec(lines[0]!) ?? [];
    return {
      claimed: Number(claimed),
      rowsRead: read.reduce((sum, count) => sum + count, 0),
      text: lines.join('\n'),
    };
  };
  return { explain, end: () => client.release(true) };
}
