import { once } from 'node:events';
import net from 'node:net';
import { describe, expect, onTestFinished } from 'vitest';
import type { ModeKeys } from '../../src/domain/accounts/merchant/create-merchant.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { getDestination } from '../setup/checkout.ts';
import { count, isLongRun } from '../setup/counts.ts';
import { fileTest } from '../setup/fixtures.ts';
import { subscribeOverWebSocket } from '../setup/graphql.ts';
import { expireLeases, seedWebhook } from '../setup/notifications.ts';
import { startReceiver, type TestReceiver } from '../setup/receiver.ts';
import { seedCharge, seedMerchant } from '../setup/seed.ts';
import { setupService } from '../setup/service.ts';
import { callRest, createTransferInput } from './call-rest.ts';
import { callCluster, clusterTest, duringClientLoad, startProcess } from './cluster.ts';
import { createConnectionCutter } from './connection-cutter.ts';
import { createServiceEnv } from './create-service-env.ts';
import { runService, type ServiceProcess } from './run-service.ts';

describe('Two API and two worker processes behind a proxy', () => {
  const test = clusterTest;

  const rounds = count(1, 10);
  const expiring = 20;
  /**
   * The maximum number of repeated deliveries after a worker was killed. For each of the two workers these are ten
   * concurrent deliveries, and about as many that are sent but not recorded, and claimed in advance.
   */
  const repeatsMax = 2 * 30;

  test('publish changes of one process in the others', async ({ cluster }) => {
    const charge = await seedCharge(cluster.service, cluster.merchant, { now: new Date() });
    const follow = 'subscription ($id: ID!) { chargeUpdated(id: $id) { status } }';
    const streams = [...cluster.urls, cluster.proxy.url].map((url) =>
      subscribeOverWebSocket(onTestFinished, url, cluster.merchant.keys.live, follow, { id: charge.id }),
    );
    const next = () => Promise.all(streams.map((stream) => stream.next()));
    const events = (status: string) => streams.map(() => ({ data: { chargeUpdated: { status } } }));
    expect(await next()).toEqual(events('pending'));
    await callCluster(cluster, '/transfers', {
      transfers: [createTransferInput(getDestination(charge), 128.5, 'bank-live')],
    });
    expect(await next()).toEqual(events('completed'));
    await Promise.all(streams.map((stream) => stream.close()));
  });

  test.runIf(isLongRun)(
    'fail no request when they restart one after the other under load',
    async ({ cluster }) => {
      await duringClientLoad(cluster, async () => {
        for (let turn = 0; turn < rounds * 2; turn++) {
          const place = turn % 2;
          const leaving = [cluster.running.api[place]!, cluster.running.worker[place]!];
          const ends = leaving.map((process) => process.end('SIGTERM'));
          expect(await Promise.all(ends)).toEqual([0, 0]);
          await Promise.all([startProcess(cluster, 'api', place), startProcess(cluster, 'worker', place)]);
        }
      });
      expect(cluster.proxy.failed).toEqual([]);
    },
    60_000 + rounds * 120_000,
  );

  test(
    'lose nothing when one is killed under load: the others take over its jobs, and each has its effect once',
    async ({ cluster }) => {
      const pending = [];
      for (let i = 0; i < expiring; i++) {
        pending.push(
          await seedCharge(cluster.service, cluster.merchant, {
            input: { email: `late${i}@example.com` },
            now: new Date(),
          }),
        );
      }
      const ids = pending.map(({ id }) => id);
      await duringClientLoad(cluster, async () => {
        for (let turn = 0; turn < rounds; turn++) {
          const place = (turn + 1) % 2;
          await Promise.all(
            [cluster.running.api[place]!, cluster.running.worker[place]!].map((process) =>
              process.end('SIGKILL'),
            ),
          );
          if (turn === 0) {
            const expiresAt = new Date();
            await cluster.service.prisma.charge.updateMany({
              where: { id: { in: ids } },
              data: { expiresAt },
            });
          }
          if (rounds > 1)
            await Promise.all([startProcess(cluster, 'api', place), startProcess(cluster, 'worker', place)]);
        }
        await expireLeases(cluster.service);
      });
      const where = { objectId: { in: ids }, type: 'charge_expired' };
      await expect.poll(() => cluster.service.prisma.event.count({ where })).toBe(expiring);
      const missing = new Set((await cluster.service.prisma.event.findMany({ where })).map(({ id }) => id));
      const getIds = (requests: typeof cluster.receiver.requests) =>
        requests.map(({ headers }) => headers['webhook-id']!);
      await cluster.receiver.waitFor((requests) => missing.isSubsetOf(new Set(getIds(requests))), 40_000);
      const deliveredIds = getIds(cluster.receiver.requests);
      const events = await cluster.service.prisma.event.findMany({ where: { notifications: { some: {} } } });
      expect(new Set(deliveredIds)).toEqual(new Set(events.map(({ id }) => id)));
      expect(deliveredIds.length - events.length).toBeLessThanOrEqual(rounds * repeatsMax);
    },
    60_000 + rounds * 30_000,
  );
});

type ProcessPair = {
  api: ServiceProcess;
  worker: ServiceProcess;
  receiver: TestReceiver;
  keys: ModeKeys;
  url: string;
  service: Service;
  cut: () => Promise<void>;
};

const pairTest = fileTest.extend('pair', { scope: 'file' }, async ({ onFileCleanup }) => {
  const pair = {} as ProcessPair;
  pair.url = '';
  const service = await setupService(onFileCleanup);
  onFileCleanup(async () => {
    await Promise.all([pair.api?.end('SIGKILL'), pair.worker?.end('SIGKILL'), pair.receiver?.stop()]);
  });
  pair.service = service;
  pair.receiver = await startReceiver(({ path }, response) => {
    response.writeHead(path === '/gone' ? 410 : 200).end();
  });
  const merchant = await seedMerchant(pair.service, {}, new Date());
  pair.keys = merchant.keys.live;
  for (const path of ['/webhook', '/gone'])
    await seedWebhook(pair.service, merchant, {
      url: `${pair.receiver.url}${path}`,
      notificationVersion: '1.0',
    });
  pair.cut = await createConnectionCutter(pair.service, service.connectionString);
  const env = createServiceEnv(service.connectionString);
  pair.api = runService({ ...env, ROLE: 'api', SHUTDOWN_DELAY_SECONDS: '1' });
  pair.worker = runService({ ...env, ROLE: 'worker' });
  pair.url = (await pair.api.ready()).url;
  await pair.worker.ready();
  return pair;
});

describe('An API and a worker process', () => {
  const test = pairTest;

  async function payOneCharge(pair: ProcessPair): Promise<string> {
    const email = `${crypto.randomUUID()}@example.com`;
    const terms = { email, merchantAmount: 128.5, merchantCurrency: 'HKD', method: 'fps' };
    const charge = await callRest(pair.url, pair.keys, '/charges', {
      ...terms,
      notifyUrl: `${pair.receiver.url}/callback`,
    });
    expect(charge.status).toBe(201);
    const { id, destination } = charge.json;
    const transfer = createTransferInput(destination, 128.5, `bank-${id}`);
    const paid = await callRest(pair.url, pair.keys, '/transfers', { transfers: [transfer] });
    expect(paid.json).toMatchObject({ transfers: [{ status: 'matched', chargeId: id }] });
    return id;
  }

  /** Waits until the completion was sent to the webhook and the callback. */
  async function waitUntilDelivered(pair: ProcessPair, chargeId: string): Promise<void> {
    const isOfCharge = ({ body }: { body: string }) =>
      body.includes(chargeId) && body.includes('"message":"CHARGE_COMPLETE"');
    await pair.receiver.waitFor((requests) => {
      const paths = requests.filter(isOfCharge).map(({ path }) => path);
      return paths.includes('/webhook') && paths.includes('/callback');
    });
  }

  test('send notifications in the worker process for requests to the API process', async ({ pair }) => {
    expect(pair.worker.output()).toContain('worker only');
    await waitUntilDelivered(pair, await payOneCharge(pair));
  });

  test('log in the worker the alerts about endpoints of merchants', async ({ pair }) => {
    await payOneCharge(pair);
    const alerts = () =>
      pair.worker
        .logged()
        .split('\n')
        .filter((line) => line.includes('endpoint alert recorded'));
    await expect.poll(() => alerts().length).toBe(1);
    const [warning] = alerts().map((line) => JSON.parse(line));
    expect(warning).toMatchObject({
      alert: 'webhook_disabled',
      detail: 'The endpoint responded with 410 Gone',
    });
    expect(warning.level).toBe(40);
  });

  test('continue to serve and deliver after every connection to PostgreSQL was cut', async ({ pair }) => {
    for (let round = 0; round < count(1, 20); round++) {
      // Running requests may fail, but with a response.
      const underWay = Promise.all(
        Array.from({ length: 20 }, () => callRest(pair.url, pair.keys, '/charges')),
      );
      for (let i = 0; i < 3; i++) await pair.cut();
      const statuses = (await underWay).map(({ status }) => status);
      expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    }
    await expect.poll(async () => (await fetch(`${pair.url}/readyz`)).status).toBe(200);
    await waitUntilDelivered(pair, await payOneCharge(pair));
    expect([pair.api.child.exitCode, pair.worker.child.exitCode]).toEqual([null, null]);
  });

  /** A persistent connection, as a proxy opens it. */
  function openConnection(pair: ProcessPair) {
    const { port, hostname } = new URL(pair.url);
    const socket = net.connect(Number(port), hostname).setEncoding('latin1');
    return {
      ended: once(socket, 'end'),
      async ask(): Promise<string> {
        socket.write('GET /healthz HTTP/1.1\r\nHost: shop.example\r\n\r\n');
        const [response] = await once(socket, 'data');
        return response;
      },
    };
  }

  test('stop at SIGTERM, release their locks, and answer on open connections until the end', async ({
    pair,
  }) => {
    const connection = openConnection(pair);
    expect(await connection.ask()).toMatch(/^HTTP\/1.1 200 .*connection: keep-alive/is);
    const ended = Promise.all([pair.api.end('SIGTERM'), pair.worker.end('SIGTERM')]);
    const connects = () =>
      fetch(`${pair.url}/healthz`, { headers: { connection: 'close' } }).then(
        () => true,
        () => false,
      );
    await expect.poll(connects, { interval: 10 }).toBe(false);
    expect(await connection.ask()).toMatch(/^HTTP\/1.1 200 .*connection: close/is);
    await connection.ended;
    expect(await ended).toEqual([0, 0]);
    const { rows } = await pair.service.pool.query(
      'SELECT name FROM agenda_jobs WHERE locked_at IS NOT NULL',
    );
    // A connection pooler keeps its connections to PostgreSQL.
    const sessions = await pair.service.pool.query(
      `SELECT application_name FROM pg_stat_activity
       WHERE datname = current_database() AND application_name LIKE $1`,
      [process.env.TEST_POOLER ? 'causeway listen' : 'causeway %'],
    );
    expect(rows).toEqual([]);
    expect(sessions.rows).toEqual([]);
  });
});
