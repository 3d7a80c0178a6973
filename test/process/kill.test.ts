import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import type { ModeKeys } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { spawnCli } from '../cli/run-cli.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { count, isLongRun } from '../setup/counts.ts';
import { callRest, moneyFor } from './call-rest.ts';
import { madeDataDir, postgresPid } from './data-dir.ts';
import { killPostgres } from './kill-postgres.ts';
import { printedKeys, runService, type ServiceProcess } from './run-service.ts';

const onCleanup = cleanupAfterFile();

const kills = count(1, 50);
const clients = 6;

/** What the service has answered with success: each must be found again, exactly once. */
type Acknowledged = {
  charges: Map<string, { nonce: string }>;
  /** With the id of the charge that it completed. */
  transfers: Map<object, string>;
};

const dataDir = await madeDataDir(onCleanup);
let service: ServiceProcess | undefined;
afterAll(async () => void (await service?.end('SIGKILL')));

/** What runs, or what is started where nothing does. */
async function start(): Promise<{ url: string; keys: ModeKeys }> {
  if (service?.child.exitCode !== null || service.child.signalCode !== null) {
    service = runService({ DATA_DIR: dataDir, RATE_LIMIT: '0' });
  }
  const { url } = await service.ready();
  return { url, keys: printedKeys(service.said(), 'live') };
}

/** kill -9, which nothing can be done against. */
async function killEverything(withPostgres: boolean): Promise<void> {
  const postgres = await postgresPid(dataDir);
  process.kill(service!.child.pid!, 'SIGKILL');
  if (withPostgres && postgres !== undefined) await killPostgres(postgres);
  await service!.ended;
}

/** Makes and pays charges until the service is gone. */
async function buyUntilKilled(
  { url, keys }: { url: string; keys: ModeKeys },
  done: Acknowledged,
  round: string,
): Promise<void> {
  for (let i = 0; ; i++) {
    const email = `customer-${round}-${i}@example.com`;
    const terms = { email, merchantAmount: 10 + (i % 90), merchantCurrency: 'HKD', method: 'fps' };
    const made = await callRest(url, keys, '/charges', { ...terms, notifyUrl: `${url}/demo/callback` });
    if (made.status !== 201) throw new Error(`a charge was answered ${made.status}`);
    const { id, destination } = made.json;
    done.charges.set(id, { nonce: destination.nonce });
    const transfer = moneyFor(destination, terms.merchantAmount, `bank-${round}-${i}`);
    const paid = await callRest(url, keys, '/transfers', { transfers: [transfer] });
    const [result] = paid.json.transfers;
    if (result?.status !== 'matched') throw new Error(`a transfer was answered ${JSON.stringify(paid.json)}`);
    done.transfers.set(transfer, id);
  }
}

/** Ends when the service is killed; any other failure is thrown. */
async function untilKilled(use: Promise<void>): Promise<void> {
  await use.catch((error: Error) => {
    if (error.message !== 'fetch failed' && error.message !== 'terminated') throw error;
  });
}

async function allCharges(
  url: string,
  keys: ModeKeys,
): Promise<Map<string, { status: string; nonce: string }>> {
  const found = new Map<string, { status: string; nonce: string }>();
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { json } = await callRest(url, keys, `/charges?limit=50&page=${page}`);
    pages = json.pagination.totalPages;
    for (const { id, status, destination } of json.charges)
      found.set(id, { status, nonce: destination.nonce });
  }
  return found;
}

test.runIf(isLongRun)(
  'killed while it makes the demo merchant, the next start makes it whole',
  async () => {
    service = runService({ DATA_DIR: dataDir });
    await expect.poll(() => service!.said(), { interval: 5 }).toContain('Creating the demo merchant');
    await delay(randomInt(300));
    await killEverything(false);
    const { url } = await start();
    expect(service.said()).toContain('owner@demo.example');
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  },
  60_000,
);

test(
  `killed ${kills} times under load, with PostgreSQL and without, it has lost nothing that it had acknowledged`,
  async () => {
    const done: Acknowledged = { charges: new Map(), transfers: new Map() };
    for (let round = 0; round < kills; round++) {
      const running = await start();
      const load = Array.from({ length: clients }, (_, i) => buyUntilKilled(running, done, `${round}.${i}`));
      const uses = Promise.all(load.map(untilKilled));
      const before = done.transfers.size;
      await expect.poll(() => done.transfers.size, { interval: 5 }).toBeGreaterThan(before + 3);
      await delay(randomInt(500));
      await killEverything(round % 2 === 0);
      await uses;
    }
    expect(done.charges.size).toBeGreaterThan(3 * kills);

    const { url, keys } = await start();
    const found = await allCharges(url, keys);
    const lost = [...done.charges].filter(([id, { nonce }]) => found.get(id)?.nonce !== nonce);
    const unpaid = [...done.transfers.values()].filter(
      (chargeId) => found.get(chargeId)?.status !== 'completed',
    );
    expect({ lost, unpaid }).toEqual({ lost: [], unpaid: [] });
    // The bank tells of them again, as it may: nothing counts twice.
    const transfers = [...done.transfers.keys()].slice(0, 500);
    const again = await callRest(url, keys, '/transfers', { transfers });
    const results: { status: string; chargeId: string }[] = again.json.transfers;
    expect(results.filter(({ status }) => status !== 'duplicate')).toEqual([]);
    expect(results.map(({ chargeId }) => chargeId)).toEqual([...done.transfers.values()].slice(0, 500));
    const { json: checked } = await spawnCli({ DATA_DIR: dataDir }, ['check', '--json']);
    expect(checked).toEqual({ ok: true, violations: [] });
    expect(await service!.end('SIGTERM')).toBe(0);
  },
  60_000 + kills * 20_000,
);
