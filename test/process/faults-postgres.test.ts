import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { closeDb } from '../../src/kit/db.ts';
import { readProcessStartTime } from '../../src/kit/embedded-postgres/process-info.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { count, isLongRun } from '../setup/counts.ts';
import { seedWebhook } from '../setup/notifications.ts';
import { type Receiver, startReceiver } from '../setup/receiver.ts';
import { type RunningPostgresProcess, runPostgresProcess } from '../setup/run-postgres-process.ts';
import { seedMerchant } from '../setup/seed.ts';
import { openServiceWithDataKeys } from '../setup/service.ts';
import { killPostgres, signalPostgres } from './kill-postgres.ts';
import { onDatabase } from './on-database.ts';
import { runService, type ServiceProcess } from './run-service.ts';
import { openSmallDisk, type SmallDisk } from './small-disk.ts';
import { type Site, underLoad } from './under-load.ts';

const onCleanup = cleanupAfterFile();

/** Faults of PostgreSQL while clients use the service: one of the tests' own, on a disk that can be filled. */

let disk: SmallDisk;
let postgres: RunningPostgresProcess;
let pid = 0;
let service: Service;
let merchant: NewMerchant;
let receiver: Receiver;
let running: ServiceProcess;
let url = '';

const site = (): Site => ({ service, merchant, receiver, url: () => url, logged: () => running.logged() });
const minutes = (many: number) => ({ timeout: many * 60_000 });

beforeAll(async () => {
  disk = await openSmallDisk(onCleanup);
  const connectionString = await startPostgres();
  running = runService(onDatabase(connectionString));
  url = (await running.ready()).url;
  service = await openServiceWithDataKeys(connectionString, { onError: () => {} });
  merchant = await seedMerchant(service, {}, new Date());
  receiver = await startReceiver();
  await seedWebhook(service, merchant, { url: receiver.url });
});

afterAll(async () => {
  await running?.end('SIGKILL');
  await receiver?.stop();
  if (service) await closeDb(service);
  await postgres?.end();
});

async function startPostgres(): Promise<string> {
  const options = { dataDir: join(disk.folder, 'data'), settings: { fsync: 'off' } };
  postgres = runPostgresProcess(options, { inside: disk.inside });
  const ready = await postgres.ready();
  pid = ready.pid;
  return ready.connectionString;
}

/** As an operator does who finds that it has ended. */
async function startAgain(): Promise<void> {
  await postgres.end();
  await startPostgres();
}

const isRefusing = async () => (await fetch(`${url}/readyz`)).status === 503;

test('PostgreSQL killed (SIGKILL), and away for a while', minutes(20), async () => {
  const { cutOff } = await underLoad(site(), async (ledger) => {
    for (let kill = 0; kill < count(1, 20); kill++) {
      await delay(Math.random() * 300);
      const { refused } = ledger;
      await killPostgres(pid);
      // In the long run it comes back at once, and is away for longer in the next test.
      await delay(count(1_500, 0));
      if (kill === 0) await expect.poll(() => ledger.refused).toBeGreaterThan(refused);
      await startAgain();
      await expect.poll(isRefusing).toBe(false);
    }
  });
  expect(cutOff).toBe(0);
});

test.runIf(isLongRun)('PostgreSQL away for 60 s', minutes(5), async () => {
  const { cutOff } = await underLoad(site(), async (ledger) => {
    const { refused } = ledger;
    await postgres.end();
    await delay(60_000);
    expect(ledger.refused).toBeGreaterThan(refused);
    expect(await isRefusing()).toBe(true);
    await startPostgres();
  });
  expect(cutOff).toBe(0);
});

test(`PostgreSQL hanging for ${count(1, 45)} s`, minutes(5), async () => {
  const { cutOff } = await underLoad(site(), async () => {
    await signalPostgres(pid, 'SIGSTOP');
    await delay(count(1_000, 45_000));
    await signalPostgres(pid, 'SIGCONT');
  });
  expect(cutOff).toBe(0);
});

test('no space left on the disk of PostgreSQL', minutes(5), async (context) => {
  if (disk.obstacle !== undefined) {
    console.warn(
      `Skipped "${context.task.name}": no disk of a fixed size can be made here (${disk.obstacle})`,
    );
    context.skip(disk.obstacle);
  }
  const { cutOff } = await underLoad(site(), async (ledger) => {
    const { refused } = ledger;
    await disk.fill();
    await expect.poll(() => ledger.refused, { timeout: 60_000 }).toBeGreaterThan(refused + count(10, 500));
    await disk.free();
    // Where its journal found no room, it has ended.
    const isBack = async () => {
      if ((await readProcessStartTime(pid)) === undefined) await startAgain();
      return !(await isRefusing());
    };
    await expect.poll(isBack, { timeout: 60_000 }).toBe(true);
  });
  expect(cutOff).toBe(0);
});
