import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { getDestination } from '../setup/checkout.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { count, isLongRun } from '../setup/counts.ts';
import { subscribeOverWebSocket } from '../setup/graphql.ts';
import { expectInvariants } from '../setup/invariants.ts';
import { expireLeases, seedWebhook } from '../setup/notifications.ts';
import { type ReverseProxy, startProxy } from '../setup/proxy.ts';
import { type Receiver, startReceiver } from '../setup/receiver.ts';
import { seedCharge, seedMerchant } from '../setup/seed.ts';
import { type ServiceOnDatabase, setupService } from '../setup/service.ts';
import { callRest, moneyFor } from './call-rest.ts';
import { onDatabase } from './on-database.ts';
import { runService, type ServiceProcess } from './run-service.ts';

const onCleanup = cleanupAfterFile();

/** Two API and two worker processes on one PostgreSQL, behind a plain reverse proxy. */

const clients = 3;
const rounds = count(1, 10);
const expiring = 20;
/**
 * So many deliveries may come twice when a worker is killed, of either worker, as the claims of the living run out too:
 * the ten that go to one endpoint side by side, and about as many posted and not yet recorded, and claimed in advance.
 */
const repeatsMax = 2 * 30;

let service: ServiceOnDatabase;
let merchant: NewMerchant;
let receiver: Receiver;
let proxy: ReverseProxy;
/** Of each role the processes by their place; an API process comes back at the address it had. */
const running = { api: [] as ServiceProcess[], worker: [] as ServiceProcess[] };
const urls: string[] = [];

beforeAll(async () => {
  service = await setupService(onCleanup);
  merchant = await seedMerchant(service, {}, new Date());
  receiver = await startReceiver();
  await seedWebhook(service, merchant, { url: receiver.url, notificationVersion: '1.0' });
  proxy = await startProxy(() => urls, { looksAtHealth: true });
  await Promise.all([0, 1].flatMap((place) => [start('api', place), start('worker', place)]));
});

afterAll(async () => {
  await Promise.all([...running.api, ...running.worker].map((process) => process.end('SIGKILL')));
  await proxy?.stop();
  await receiver?.stop();
});

async function start(role: 'api' | 'worker', place: number): Promise<void> {
  const port = urls[place] ? new URL(urls[place]).port : '0';
  const own = { ROLE: role, LOG_LEVEL: 'warn', ...(role === 'api' && { PORT: port }) };
  const process = runService({ ...onDatabase(service.connectionString), ...own });
  running[role][place] = process;
  const { url } = await process.ready();
  if (role === 'api') urls[place] = url;
}

const ask = (path: string, body: object, headers: Record<string, string> = {}) =>
  callRest(proxy.url, merchant.keys.live, path, body, headers);

/** A charge that is made and paid through the proxy; what was not acknowledged is asked for again. Gives its id. */
async function buyAndPay(): Promise<string> {
  const again = async (path: string, body: object, headers = {}) => {
    for (;;) {
      const answer = await ask(path, body, headers).catch(() => ({ status: 502, json: null }));
      // 409: the first try is still at work.
      if (![409, 502].includes(answer.status)) return answer;
    }
  };
  const key = randomUUID();
  const terms = { email: `${key}@example.com`, merchantAmount: 25, merchantCurrency: 'HKD', method: 'fps' };
  const charge = await again('/charges', terms, { 'idempotency-key': key });
  expect(charge).toMatchObject({ status: 201 });
  const { id, destination } = charge.json;
  const transfer = moneyFor(destination, terms.merchantAmount, `bank-${id}`);
  const paid = await again('/transfers', { transfers: [transfer] });
  expect(paid).toMatchObject({ status: 200, json: { transfers: [{ chargeId: id }] } });
  return id;
}

/** Does something while clients buy and pay; afterwards all they know of is there once, and told. */
async function whileClientsBuy(work: () => Promise<void>): Promise<void> {
  const bought: string[] = [];
  let isOver = false;
  const load = Promise.all(
    Array.from({ length: clients }, async () => {
      while (!isOver) bought.push(await buyAndPay());
    }),
  );
  const goOn = async () => {
    const before = bought.length;
    await Promise.race([load, expect.poll(() => bought.length).toBeGreaterThan(before + 2 * clients)]);
  };
  try {
    await goOn();
    await work();
    await goOn();
  } finally {
    isOver = true;
    await load;
  }
  const charges = await service.prisma.charge.findMany({ where: { id: { in: bought } } });
  expect(charges.filter(({ status }) => status === 'completed')).toHaveLength(bought.length);
  const untold = new Set(bought);
  await receiver.waitFor((requests) => {
    for (const { body } of requests) untold.delete(JSON.parse(body).chargeId);
    return untold.size === 0;
  }, 30_000);
  await expectInvariants(service);
}

test('what is done in one process is told live by the others', async () => {
  const charge = await seedCharge(service, merchant, { now: new Date() });
  const follow = 'subscription ($id: ID!) { chargeUpdated(id: $id) { status } }';
  const streams = [...urls, proxy.url].map((url) =>
    subscribeOverWebSocket(onCleanup, url, merchant.keys.live, follow, { id: charge.id }),
  );
  const next = () => Promise.all(streams.map((stream) => stream.next()));
  const told = (status: string) => streams.map(() => ({ data: { chargeUpdated: { status } } }));
  expect(await next()).toEqual(told('pending'));
  await ask('/transfers', { transfers: [moneyFor(getDestination(charge), 128.5, 'bank-live')] });
  expect(await next()).toEqual(told('completed'));
  await Promise.all(streams.map((stream) => stream.close()));
});

test.runIf(isLongRun)(
  'restarted one after the other under load: no request fails',
  async () => {
    await whileClientsBuy(async () => {
      for (let turn = 0; turn < rounds * 2; turn++) {
        const place = turn % 2;
        const leaving = [running.api[place]!, running.worker[place]!];
        const ends = leaving.map((process) => process.end('SIGTERM'));
        expect(await Promise.all(ends)).toEqual([0, 0]);
        await Promise.all([start('api', place), start('worker', place)]);
      }
    });
    expect(proxy.failed).toEqual([]);
  },
  60_000 + rounds * 30_000,
);

test(
  'killed under load: nothing is lost, the others take the jobs over, and each has its effect once',
  async () => {
    const pending = [];
    for (let i = 0; i < expiring; i++) {
      pending.push(
        await seedCharge(service, merchant, { input: { email: `late${i}@example.com` }, now: new Date() }),
      );
    }
    const ids = pending.map(({ id }) => id);
    await whileClientsBuy(async () => {
      for (let turn = 0; turn < rounds; turn++) {
        const place = (turn + 1) % 2;
        await Promise.all(
          [running.api[place]!, running.worker[place]!].map((process) => process.end('SIGKILL')),
        );
        if (turn === 0) {
          const expiresAt = new Date();
          await service.prisma.charge.updateMany({ where: { id: { in: ids } }, data: { expiresAt } });
        }
        if (rounds > 1) await Promise.all([start('api', place), start('worker', place)]);
      }
      await expireLeases(service);
    });
    const where = { objectId: { in: ids }, type: 'charge_expired' };
    await expect.poll(() => service.prisma.event.count({ where })).toBe(expiring);
    const untold = new Set((await service.prisma.event.findMany({ where })).map(({ id }) => id));
    const idsOf = (requests: typeof receiver.requests) =>
      requests.map(({ headers }) => headers['webhook-id']!);
    await receiver.waitFor((requests) => untold.isSubsetOf(new Set(idsOf(requests))), 40_000);
    const told = idsOf(receiver.requests);
    const events = await service.prisma.event.findMany({ where: { notifications: { some: {} } } });
    expect(new Set(told)).toEqual(new Set(events.map(({ id }) => id)));
    expect(told.length - events.length).toBeLessThanOrEqual(rounds * repeatsMax);
  },
  60_000 + rounds * 30_000,
);
