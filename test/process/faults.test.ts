import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkInvariants } from '../../src/domain/check/check-invariants.ts';
import type { NewMerchant } from '../../src/domain/merchant/create-merchant.ts';
import type { Service } from '../../src/domain/service.ts';
import { count } from '../setup/counts.ts';
import { makeMerchant } from '../setup/makers.ts';
import { makeWebhook } from '../setup/notifications.ts';
import { type Receiver, silent, startReceiver } from '../setup/receiver.ts';
import { testAppSecret, testService } from '../setup/service.ts';
import { buyAndPay, newLedger } from './client-ledger.ts';
import { runService, type ServiceProcess } from './run-service.ts';

/** Faults while customers buy and pay: what was acknowledged is there once, and the merchant is told of all of it. */

const clients = 4;

let service: Service & { connectionString: string };
let merchant: NewMerchant;
let receiver: Receiver;
let hanging: Receiver;
let api: ServiceProcess;
let worker: ServiceProcess;
let url = '';
let ownPids: number[] = [];

beforeAll(async () => {
  service = await testService();
  merchant = await makeMerchant(service, {}, new Date());
  receiver = await startReceiver();
  hanging = await startReceiver(silent());
  await makeWebhook(service, merchant, { url: receiver.url });
  // At first, another endpoint of the merchant takes requests and never answers.
  await makeWebhook(service, merchant, { url: hanging.url });
  const own = await service.pool.query('SELECT pid FROM pg_stat_activity WHERE datname = current_database()');
  ownPids = own.rows.map(({ pid }) => pid);
  worker = start('worker');
  api = start('api');
  url = (await api.ready()).url;
  await worker.ready();
});

afterAll(async () => {
  await Promise.all([api?.end('SIGKILL'), worker?.end('SIGKILL')]);
  await receiver?.stop();
});

function start(role: 'api' | 'worker'): ServiceProcess {
  const settings = { APP_SECRET: testAppSecret, ALLOW_PRIVATE_TARGETS: 'true', RATE_LIMIT: '0' };
  return runService({ DATABASE_URL: service.connectionString, ...settings, ROLE: role });
}

/** Does `fault` while clients are at work, and compares what they know with what is there. */
async function underLoad(fault: (ledger: ReturnType<typeof newLedger>) => Promise<void>): Promise<void> {
  const ledger = newLedger();
  const before = await service.prisma.charge.count();
  let isOver = false;
  const shop = { url: () => url, keys: merchant.keys.live, isOver: () => isOver };
  const load = Promise.all(Array.from({ length: clients }, () => buyAndPay(shop, ledger)));
  await expect.poll(() => ledger.paid.size).toBeGreaterThan(clients);
  await fault(ledger);
  const after = ledger.paid.size;
  await expect.poll(() => ledger.paid.size).toBeGreaterThan(after + clients);
  isOver = true;
  await load;

  expect(ledger.wrong).toEqual([]);
  const ids = [...ledger.charges.values()].flatMap((known) => [...known]);
  expect(ids).toHaveLength(ledger.charges.size);
  const made = await service.prisma.charge.findMany({ where: { id: { in: ids } } });
  expect(made.filter(({ status }) => status === 'completed')).toHaveLength(ids.length);
  expect((await service.prisma.charge.count()) - before).toBe(ids.length);
  expect([...ledger.paid].sort()).toEqual(ids.sort());
  const untold = new Set(ids);
  await receiver.waitFor((requests) => {
    for (const { body } of requests) untold.delete(JSON.parse(body).chargeId);
    return untold.size === 0;
  }, 45_000);
  expect(await checkInvariants(service)).toEqual([]);
}

test('connections to PostgreSQL cut one by one', async () => {
  await underLoad(async () => {
    for (let cut = 0; cut < count(30, 500); cut++) {
      await service.pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> ALL ($1) AND pid <> pg_backend_pid() ORDER BY random() LIMIT 1`,
        [ownPids],
      );
      await delay(randomInt(100));
    }
  });
  expect([api.child.exitCode, worker.child.exitCode]).toEqual([null, null]);
}, 120_000);

test('the job store away: everything is taken, and told of once it is back', async () => {
  await underLoad(async (ledger) => {
    await service.pool.query('ALTER TABLE agenda_jobs RENAME TO agenda_jobs_away');
    await expect.poll(() => worker.logged()).toContain('agenda_jobs');
    const [paid, refused] = [ledger.paid.size, ledger.refused];
    await expect.poll(() => ledger.paid.size).toBeGreaterThan(paid + 5 * clients);
    expect(ledger.refused).toBe(refused);
    await service.pool.query('ALTER TABLE agenda_jobs_away RENAME TO agenda_jobs');
  });
}, 120_000);

test('SIGTERM: requests under way are answered, and both end; others take over', async () => {
  // A worker waits for what is under way, here for the whole of its grace.
  await hanging.stop();
  await underLoad(async () => {
    const stopping = [api, worker];
    [api, worker] = [start('api'), start('worker')];
    const next = await api.ready();
    await worker.ready();
    const ends = stopping.map((process) => process.end('SIGTERM'));
    url = next.url;
    expect(await Promise.all(ends)).toEqual([0, 0]);
  });
}, 120_000);
