import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { count, isLongRun } from '../setup/counts.ts';
import { expireLeases, seedWebhook } from '../setup/notifications.ts';
import { neverRespond, type Receiver, startReceiver } from '../setup/receiver.ts';
import { seedMerchant } from '../setup/seed.ts';
import { type ServiceOnDatabase, setupService } from '../setup/service.ts';
import { connectionCutter } from './connection-cutter.ts';
import { onDatabase } from './on-database.ts';
import { runService, type ServiceProcess } from './run-service.ts';
import { type Site, underLoad } from './under-load.ts';

const onCleanup = cleanupAfterFile();

/** Faults while clients use the service: what was acknowledged is there once, and the merchant is told of all of it. */

let service: ServiceOnDatabase;
let merchant: NewMerchant;
let receiver: Receiver;
let hanging: Receiver;
let api: ServiceProcess;
let worker: ServiceProcess;
let url = '';
let cut: (most: number) => Promise<void>;

const site = (): Site => ({ service, merchant, receiver, url: () => url, logged: () => api.logged() });
const minutes = (many: number) => ({ timeout: many * 60_000 });

beforeAll(async () => {
  service = await setupService(onCleanup);
  merchant = await seedMerchant(service, {}, new Date());
  receiver = await startReceiver();
  hanging = await startReceiver(neverRespond());
  await seedWebhook(service, merchant, { url: receiver.url });
  // At first, another endpoint of the merchant takes requests and never answers.
  await seedWebhook(service, merchant, { url: hanging.url });
  cut = await connectionCutter(service);
  worker = start('worker');
  api = start('api');
  url = (await api.ready()).url;
  await worker.ready();
});

afterAll(async () => {
  await Promise.all([api?.end('SIGKILL'), worker?.end('SIGKILL')]);
  await receiver?.stop();
  await hanging?.stop();
});

function start(role: 'api' | 'worker', port = '0'): ServiceProcess {
  return runService({ ...onDatabase(service.connectionString), ROLE: role, PORT: port });
}

test('connections to PostgreSQL cut one by one', minutes(5), async () => {
  const { cutOff } = await underLoad(site(), async () => {
    for (let time = 0; time < count(10, 500); time++) {
      await cut(1);
      await delay(randomInt(100));
    }
  });
  expect(cutOff).toBe(0);
  expect([api.child.exitCode, worker.child.exitCode]).toEqual([null, null]);
});

test('the job store away: everything is taken, and told of once it is back', minutes(2), async () => {
  const { refused } = await underLoad(site(), async (ledger) => {
    await service.pool.query('ALTER TABLE agenda_jobs RENAME TO agenda_jobs_away');
    await expect.poll(() => worker.logged()).toContain('agenda_jobs');
    const ended = ledger.ends.size;
    await expect.poll(() => ledger.ends.size).toBeGreaterThan(ended + count(8, 20));
    await service.pool.query('ALTER TABLE agenda_jobs_away RENAME TO agenda_jobs');
  });
  expect(refused).toBe(0);
});

test.each([
  ['as an event is written', 'NOT DEFERRABLE'],
  ['as the transaction commits', 'DEFERRABLE INITIALLY DEFERRED'],
])(
  'no space left on the disk (SQLSTATE 53100) %s: refused with 503, and nothing of it is there',
  minutes(10),
  async (_, when) => {
    const { cutOff } = await underLoad(site(), async (ledger) => {
      const { refused } = ledger;
      await service.pool.query(`
      CREATE OR REPLACE FUNCTION no_space() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF random() < 0.5 THEN RAISE 'No space left on device' USING ERRCODE = '53100'; END IF;
        RETURN NULL;
      END $$;
      CREATE CONSTRAINT TRIGGER no_space AFTER INSERT ON event ${when} FOR EACH ROW EXECUTE FUNCTION no_space()`);
      try {
        const timeout = count(20_000, 300_000);
        await expect.poll(() => ledger.refused, { timeout }).toBeGreaterThan(refused + count(10, 500));
      } finally {
        await service.pool.query('DROP TRIGGER no_space ON event');
      }
    });
    expect(cutOff).toBe(0);
  },
);

// In short, test/process/kill.test.ts, many-processes.test.ts and kill-workers.test.ts kill services.
test.runIf(isLongRun)(
  'the service killed (SIGKILL) again and again, at any moment',
  minutes(30),
  async () => {
    await underLoad(site(), async () => {
      for (let kill = 0; kill < 50; kill++) {
        await delay(randomInt(500));
        if (kill % 2 === 0) {
          await api.end('SIGKILL');
          api = start('api', new URL(url).port);
          await api.ready();
        } else {
          await worker.end('SIGKILL');
          worker = start('worker');
          await worker.ready();
        }
      }
      await worker.end('SIGKILL');
      await expireLeases(service);
      worker = start('worker');
      await worker.ready();
    });
  },
);

// In short, test/process/start.test.ts and test/http/leave-gently.test.ts show what SIGTERM does.
test.runIf(isLongRun)(
  'SIGTERM: requests under way are answered, and both end; others take over',
  minutes(2),
  async () => {
    // A worker waits for what is under way, here for the whole of its grace.
    await hanging.stop();
    const { cutOff } = await underLoad(site(), async () => {
      const stopping = [api, worker];
      [api, worker] = [start('api'), start('worker')];
      const next = await api.ready();
      await worker.ready();
      const ends = stopping.map((process) => process.end('SIGTERM'));
      url = next.url;
      expect(await Promise.all(ends)).toEqual([0, 0]);
    });
    expect(cutOff).toBe(0);
  },
);
