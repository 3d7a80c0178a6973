import { once } from 'node:events';
import net from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ModeKeys } from '../../src/domain/accounts/merchant/create-merchant.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { seedWebhook } from '../setup/notifications.ts';
import { type Receiver, startReceiver } from '../setup/receiver.ts';
import { seedMerchant } from '../setup/seed.ts';
import { setupService } from '../setup/service.ts';
import { callRest, moneyFor } from './call-rest.ts';
import { connectionCutter } from './connection-cutter.ts';
import { onDatabase } from './on-database.ts';
import { runService, type ServiceProcess } from './run-service.ts';

const onCleanup = cleanupAfterFile();

let api: ServiceProcess;
let worker: ServiceProcess;
let receiver: Receiver;
let keys: ModeKeys;
let url = '';
let service: Service;
/** Cuts the connections of both. */
let cut: () => Promise<void>;

beforeAll(async () => {
  const made = await setupService(onCleanup);
  service = made;
  receiver = await startReceiver(({ path }, response) => {
    response.writeHead(path === '/gone' ? 410 : 200).end();
  });
  const merchant = await seedMerchant(service, {}, new Date());
  keys = merchant.keys.live;
  for (const path of ['/webhook', '/gone'])
    await seedWebhook(service, merchant, { url: `${receiver.url}${path}`, notificationVersion: '1.0' });
  cut = await connectionCutter(service);
  const env = onDatabase(made.connectionString);
  api = runService({ ...env, ROLE: 'api', SHUTDOWN_DELAY_SECONDS: '1' });
  worker = runService({ ...env, ROLE: 'worker' });
  url = (await api.ready()).url;
  await worker.ready();
});

afterAll(async () => {
  await Promise.all([api?.end('SIGKILL'), worker?.end('SIGKILL'), receiver?.stop()]);
});

async function payOneCharge(): Promise<string> {
  const email = `${crypto.randomUUID()}@example.com`;
  const terms = { email, merchantAmount: 128.5, merchantCurrency: 'HKD', method: 'fps' };
  const charge = await callRest(url, keys, '/charges', { ...terms, notifyUrl: `${receiver.url}/callback` });
  expect(charge.status).toBe(201);
  const { id, destination } = charge.json;
  const transfer = moneyFor(destination, 128.5, `bank-${id}`);
  const paid = await callRest(url, keys, '/transfers', { transfers: [transfer] });
  expect(paid.json).toMatchObject({ transfers: [{ status: 'matched', chargeId: id }] });
  return id;
}

/** Its completion has come by webhook and by callback. */
async function delivered(chargeId: string): Promise<void> {
  const isOfCharge = ({ body }: { body: string }) =>
    body.includes(chargeId) && body.includes('"message":"CHARGE_COMPLETE"');
  await receiver.waitFor((requests) => {
    const paths = requests.filter(isOfCharge).map(({ path }) => path);
    return paths.includes('/webhook') && paths.includes('/callback');
  });
}

test('what the API process takes in, the worker process delivers', async () => {
  expect(worker.said()).toContain('worker only');
  await delivered(await payOneCharge());
});

test('the operator finds in the worker’s log what merchants are told of their endpoints', async () => {
  await payOneCharge();
  const told = () =>
    worker
      .logged()
      .split('\n')
      .filter((line) => line.includes('endpoint alert recorded'));
  await expect.poll(() => told().length).toBe(1);
  const [warning] = told().map((line) => JSON.parse(line));
  expect(warning).toMatchObject({
    alert: 'webhook_disabled',
    detail: 'The endpoint responded with 410 Gone',
  });
  expect(warning.level).toBe(40);
});

test('every connection cut, as by a restart of PostgreSQL: both go on living, serve and deliver again', async () => {
  // Requests under way meet the cut too: they may fail, but with an answer.
  const underWay = Promise.all(Array.from({ length: 20 }, () => callRest(url, keys, '/charges')));
  for (let i = 0; i < 3; i++) await cut();
  const statuses = (await underWay).map(({ status }) => status);
  expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200);
  await delivered(await payOneCharge());
  expect([api.child.exitCode, worker.child.exitCode]).toEqual([null, null]);
});

/** A connection that is kept as a proxy keeps it; gives what comes on it until there is nothing more to come for now. */
function keptConnection() {
  const { port, hostname } = new URL(url);
  const socket = net.connect(Number(port), hostname).setEncoding('latin1');
  return {
    ended: once(socket, 'end'),
    async ask(): Promise<string> {
      socket.write('GET /healthz HTTP/1.1\r\nHost: shop.example\r\n\r\n');
      const [answer] = await once(socket, 'data');
      return answer;
    },
  };
}

test('both stop at SIGTERM, and free what they held of the jobs; a connection that was kept is answered to the end', async () => {
  const kept = keptConnection();
  expect(await kept.ask()).toMatch(/^HTTP\/1.1 200 .*connection: keep-alive/is);
  const ended = Promise.all([api.end('SIGTERM'), worker.end('SIGTERM')]);
  const connects = () =>
    fetch(`${url}/healthz`, { headers: { connection: 'close' } }).then(
      () => true,
      () => false,
    );
  await expect.poll(connects, { interval: 10 }).toBe(false);
  expect(await kept.ask()).toMatch(/^HTTP\/1.1 200 .*connection: close/is);
  await kept.ended;
  expect(await ended).toEqual([0, 0]);
  const { rows } = await service.pool.query('SELECT name FROM agenda_jobs WHERE locked_at IS NOT NULL');
  const sessions = await service.pool.query(
    `SELECT application_name FROM pg_stat_activity
     WHERE datname = current_database() AND application_name LIKE 'causeway %'`,
  );
  expect(rows).toEqual([]);
  expect(sessions.rows).toEqual([]);
});
