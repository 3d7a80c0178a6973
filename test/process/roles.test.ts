import { once } from 'node:events';
import net from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ModeKeys } from '../../src/domain/merchant/create-merchant.ts';
import { createWebhook } from '../../src/domain/webhook/create-webhook.ts';
import { makeMerchant } from '../setup/makers.ts';
import { type Receiver, startReceiver } from '../setup/receiver.ts';
import { testAppSecret, testService } from '../setup/service.ts';
import { callRest } from './call-rest.ts';
import { runService, type ServiceProcess } from './run-service.ts';

let api: ServiceProcess;
let worker: ServiceProcess;
let receiver: Receiver;
let keys: ModeKeys;
let url = '';
let databaseUrl = '';
/** Connections of the test itself, which are spared. */
let ownPids: number[] = [];

beforeAll(async () => {
  const service = await testService();
  databaseUrl = service.connectionString;
  receiver = await startReceiver(({ path }, response) => {
    response.writeHead(path === '/gone' ? 410 : 200).end();
  });
  const merchant = await makeMerchant(service, {}, new Date());
  keys = merchant.keys.live;
  const input = { url: `${receiver.url}/webhook`, username: 'shop', password: 'secret', version: '1.0' };
  const owner = { merchantId: merchant.merchant.id, mode: 'live' as const, actor: 'test', now: new Date() };
  await createWebhook(service, { ...owner, input });
  await createWebhook(service, { ...owner, input: { ...input, url: `${receiver.url}/gone` } });
  const own = await service.pool.query('SELECT pid FROM pg_stat_activity WHERE datname = current_database()');
  ownPids = own.rows.map(({ pid }) => pid);
  const env = { DATABASE_URL: databaseUrl, APP_SECRET: testAppSecret, ALLOW_PRIVATE_TARGETS: 'true' };
  api = runService({ ...env, ROLE: 'api', STOP_DELAY: '1' });
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
  const { id, destination } = charge.json as { id: string; destination: { account: string; nonce: string } };
  const transfer = {
    id: `bank-${destination.nonce}`,
    method: 'fps',
    account: destination.account,
    amount: 128.5,
    currency: 'HKD',
    reference: destination.nonce,
    paidAt: new Date().toISOString(),
  };
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
  }, 20_000);
}

test('what the API process takes in, the worker process delivers', async () => {
  expect(worker.said()).toContain('a worker, no pages');
  await delivered(await payOneCharge());
});

test('the operator finds in the worker’s log what merchants are told of their endpoints', async () => {
  const told = () =>
    worker
      .logged()
      .split('\n')
      .filter((line) => line.includes('merchant told of an endpoint'));
  await expect.poll(() => told().length).toBe(1);
  const [warning] = told().map((line) => JSON.parse(line));
  expect(warning).toMatchObject({ alert: 'webhook_disabled', detail: 'The address answered 410 Gone' });
  expect(warning.level).toBe(40);
});

test('every connection cut, as by a restart of PostgreSQL: both go on living, serve and deliver again', async () => {
  const admin = new pg.Client({ connectionString: databaseUrl });
  await admin.connect();
  // Requests under way meet the cut too: they may fail, but with an answer.
  const underWay = Promise.all(Array.from({ length: 20 }, () => callRest(url, keys, '/charges')));
  for (let i = 0; i < 3; i++) {
    await admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND pid <> ALL ($1)`,
      [ownPids],
    );
  }
  await admin.end();
  const statuses = (await underWay).map(({ status }) => status);
  expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  await expect.poll(async () => (await fetch(`${url}/readyz`)).status, { timeout: 20_000 }).toBe(200);
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
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query('SELECT name FROM agenda_jobs WHERE locked_at IS NOT NULL');
  const sessions = await client.query(
    `SELECT application_name FROM pg_stat_activity
     WHERE datname = current_database() AND application_name LIKE 'causeway %'`,
  );
  await client.end();
  expect(rows).toEqual([]);
  expect(sessions.rows).toEqual([]);
});
