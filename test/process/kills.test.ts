import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, onTestFinished } from 'vitest';
import type { ModeKeys, NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { renewSubscriptions } from '../../src/domain/billing/collection/renew-subscriptions.ts';
import { getImportCounts } from '../../src/domain/money-in/statement/statement-state.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import type { JobStoreConfig } from '../../src/jobs/job-store.ts';
import { isUnavailable } from '../../src/kit/unavailable.ts';
import { spawnCli } from '../cli/run-cli.ts';
import { describeStores } from '../jobs/stores.ts';
import { count, isLongRun } from '../setup/counts.ts';
import { fileTest, serviceTest as renewalsTest } from '../setup/fixtures.ts';
import { queueFile } from '../setup/import-file.ts';
import { expectInvariants } from '../setup/invariants.ts';
import { expireLeases, seedWebhook } from '../setup/notifications.ts';
import { type ReceivedRequest, startReceiver, type TestReceiver } from '../setup/receiver.ts';
import { seedCharge, seedMerchant } from '../setup/seed.ts';
import { type ServiceOnDatabase, setupService, withAnnouncer } from '../setup/service.ts';
import { csvMapping } from '../setup/statement-files.ts';
import { copySubscription, seedActiveSubscription, seedPlan } from '../setup/subscriptions.ts';
import { payCharge } from '../setup/transfers.ts';
import { waitUntilZero } from '../setup/wait.ts';
import { callRest, createTransferInput } from './call-rest.ts';
import { createServiceEnv } from './create-service-env.ts';
import { createMigratedDataDir, readPostgresPid } from './data-dir.ts';
import { killPostgres } from './kill-postgres.ts';
import {
  createEnv,
  parsePrintedKeys,
  runService,
  runServiceForTest,
  type ServiceProcess,
} from './run-service.ts';

type KillRun = {
  dataDir: string;
  service: ServiceProcess | undefined;
};

const serviceTest = fileTest.extend('run', { scope: 'file' }, async ({ onFileCleanup }) => {
  const run = {} as KillRun;
  run.dataDir = await createMigratedDataDir(onFileCleanup);
  onFileCleanup(async () => void (await run.service?.end('SIGKILL')));
  return run;
});

describe('Service', () => {
  const test = serviceTest;

  const kills = count(1, 50);
  const clients = 6;

  /** Successful responses; each object must exist exactly once. */
  type Acknowledged = {
    charges: Map<string, { nonce: string }>;
    /** The id of the charge that each transfer completed. */
    transfers: Map<object, string>;
  };

  /** Starts the service unless it is running. */
  async function start(run: KillRun): Promise<{ url: string; keys: ModeKeys }> {
    if (run.service?.child.exitCode !== null || run.service.child.signalCode !== null) {
      run.service = runService({ DATA_DIR: run.dataDir, RATE_LIMIT: '0' });
    }
    const { url } = await run.service.ready();
    return { url, keys: parsePrintedKeys(run.service.output(), 'live') };
  }

  /** Sends SIGKILL, which a process cannot handle. */
  async function killEverything(run: KillRun, withPostgres: boolean): Promise<void> {
    const postgres = await readPostgresPid(run.dataDir);
    process.kill(run.service!.child.pid!, 'SIGKILL');
    if (withPostgres && postgres !== undefined) await killPostgres(postgres);
    await run.service!.ended;
  }

  /** Creates and pays charges until the service has ended. */
  async function buyUntilKilled(
    { url, keys }: { url: string; keys: ModeKeys },
    done: Acknowledged,
    round: string,
  ): Promise<void> {
    for (let i = 0; ; i++) {
      const email = `customer-${round}-${i}@example.com`;
      const terms = { email, merchantAmount: 10 + (i % 90), merchantCurrency: 'HKD', method: 'fps' };
      const created = await callRest(url, keys, '/charges', { ...terms, notifyUrl: `${url}/demo/callback` });
      if (created.status !== 201) throw new Error(`a charge was answered ${created.status}`);
      const { id, destination } = created.json;
      done.charges.set(id, { nonce: destination.nonce });
      const transfer = createTransferInput(destination, terms.merchantAmount, `bank-${round}-${i}`);
      const paid = await callRest(url, keys, '/transfers', { transfers: [transfer] });
      const [result] = paid.json.transfers;
      if (result?.status !== 'matched')
        throw new Error(`a transfer was answered ${JSON.stringify(paid.json)}`);
      done.transfers.set(transfer, id);
    }
  }

  /** Resolves when the service is killed; throws any other error. */
  async function ignoreKill(use: Promise<void>): Promise<void> {
    await use.catch((error: Error) => {
      if (error.message !== 'fetch failed' && error.message !== 'terminated') throw error;
    });
  }

  async function readAllCharges(
    url: string,
    keys: ModeKeys,
  ): Promise<Map<string, { status: string; nonce: string }>> {
    const charges = new Map<string, { status: string; nonce: string }>();
    for (let page = 1, pages = 1; page <= pages; page++) {
      const { json } = await callRest(url, keys, `/charges?limit=50&page=${page}`);
      pages = json.pagination.totalPages;
      for (const { id, status, destination } of json.charges)
        charges.set(id, { status, nonce: destination.nonce });
    }
    return charges;
  }

  test.runIf(isLongRun)(
    'completes the demo merchant at the next start when it was killed while creating it',
    async ({ run }) => {
      run.service = runService({ DATA_DIR: run.dataDir });
      await expect.poll(() => run.service!.output(), { interval: 5 }).toContain('Creating the demo merchant');
      await delay(randomInt(300));
      await killEverything(run, false);
      const { url } = await start(run);
      expect(run.service.output()).toContain('owner@demo.example');
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
    },
    60_000,
  );

  test(
    `loses nothing that it has acknowledged when it is killed ${kills} times under load, with and without PostgreSQL`,
    async ({ run }) => {
      const done: Acknowledged = { charges: new Map(), transfers: new Map() };
      for (let round = 0; round < kills; round++) {
        const running = await start(run);
        const load = Array.from({ length: clients }, (_, i) =>
          buyUntilKilled(running, done, `${round}.${i}`),
        );
        const uses = Promise.all(load.map(ignoreKill));
        const before = done.transfers.size;
        await expect.poll(() => done.transfers.size, { interval: 5 }).toBeGreaterThan(before + 3);
        await delay(randomInt(500));
        await killEverything(run, round % 2 === 0);
        await uses;
      }
      expect(done.charges.size).toBeGreaterThan(3 * kills);

      const { url, keys } = await start(run);
      const stored = await readAllCharges(url, keys);
      const lost = [...done.charges].filter(([id, { nonce }]) => stored.get(id)?.nonce !== nonce);
      const unpaid = [...done.transfers.values()].filter(
        (chargeId) => stored.get(chargeId)?.status !== 'completed',
      );
      expect({ lost, unpaid }).toEqual({ lost: [], unpaid: [] });
      // The bank may report transfers again, of which none is allocated twice.
      const transfers = [...done.transfers.keys()].slice(0, 500);
      const repeated = await callRest(url, keys, '/transfers', { transfers });
      const results: { status: string; chargeId: string }[] = repeated.json.transfers;
      expect(results.filter(({ status }) => status !== 'duplicate')).toEqual([]);
      expect(results.map(({ chargeId }) => chargeId)).toEqual([...done.transfers.values()].slice(0, 500));
      const { json: checked } = await spawnCli({ DATA_DIR: run.dataDir }, ['check', '--json']);
      expect(checked).toEqual({ ok: true, violations: [] });
      expect(await run.service!.end('SIGTERM')).toBe(0);
    },
    60_000 + kills * 20_000,
  );
});

describe('Import', () => {
  const test = fileTest;
  const rows = count(1_500, 100_000);

  test('is completed by the next worker after a kill, and records every line once', {
    timeout: count(120_000, 900_000),
  }, async () => {
    const service = await setupService(onTestFinished);
    const now = new Date();
    const merchant = await seedMerchant(service, {}, now);
    const [first, last] = [
      await seedCharge(service, merchant, { now }),
      await seedCharge(service, merchant, { now, input: { email: 'bob@example.com' } }),
    ];
    const day = now.toISOString().slice(0, 10);
    const lines = Array.from({ length: rows }, (_, n) => {
      if (n === 0) return `${day},128.50,${first.paymentReference}`;
      return n === rows - 1 ? `${day},128.50,${last.paymentReference}` : `${day},1,hello`;
    });
    const { statement } = await queueFile(service, merchant, {
      content: `Date,Amount,Text\n${lines.join('\n')}\n`,
      receivingAccountId: first.receivingAccountId,
      mapping: csvMapping({ referenceColumns: ['Text'] }),
      now,
    });
    const read = () => service.prisma.statement.findUniqueOrThrow({ where: { id: statement.id } });
    const startWorker = () =>
      runServiceForTest(onTestFinished, { ...createServiceEnv(service.connectionString), ROLE: 'worker' });

    const killedWorker = startWorker();
    await expect
      .poll(async () => (await read()).recordedCount, { timeout: 60_000, interval: 5 })
      .toBeGreaterThan(0);
    await killedWorker.end('SIGKILL');
    const remaining = await read();
    expect(remaining).toMatchObject({ status: 'running', entryCount: rows });
    expect(remaining.recordedCount).toBeLessThan(rows);
    const recorded = () => service.prisma.transfer.count({ where: { statementId: statement.id } });
    expect(await recorded()).toBe(remaining.recordedCount);

    // The lease of the killed worker expires.
    await service.prisma.statement.update({ where: { id: statement.id }, data: { leasedUntil: now } });
    startWorker();
    await expect
      .poll(async () => (await read()).status, { timeout: count(60_000, 600_000) })
      .toBe('completed');
    expect(getImportCounts(await read())).toMatchObject({ matched: 2, exception: rows - 2, duplicate: 0 });
    expect(await recorded()).toBe(rows);
    await expectInvariants(service);
  });
});

describe('Renewals', () => {
  const test = renewalsTest;

  const started = new Date('2026-01-15T12:00:00.000Z');
  const now = new Date('2026-02-13T12:00:00.000Z');
  const many = count(600, 5_000);
  const script = join(import.meta.dirname, 'renew-process.ts');

  function startRenewals(service: ServiceOnDatabase) {
    const args = [script, service.connectionString, now.toISOString()];
    return spawn(process.execPath, args, { env: createEnv({}), stdio: 'ignore' });
  }

  test(`are complete or not started when a worker is killed during ${many} of them, and the next worker completes the rest once`, async ({
    service,
  }) => {
    const merchant = await seedMerchant(service, {}, started);
    const merchantId = merchant.merchant.id;
    const plan = await seedPlan(service, merchant, { input: { sendEmail: true }, now: started });
    const first = await seedActiveSubscription(service, merchant, { plan, now: started });
    await copySubscription(
      service,
      first,
      Array.from({ length: many - 1 }, () => ({})),
    );
    const countInvoices = () => service.prisma.invoice.count({ where: { merchantId } });

    const worker = startRenewals(service);
    await expect.poll(countInvoices, { timeout: 30_000, interval: 5 }).toBeGreaterThan(0);
    worker.kill('SIGKILL');
    await once(worker, 'close');
    const done = await countInvoices();
    expect(done).toBeLessThan(many);
    await expectInvariants(service);

    expect(await renewSubscriptions(service, { now })).toBe(many - done);
    const invoices = await service.prisma.invoice.findMany({
      where: { merchantId },
      orderBy: { number: 'asc' },
    });
    expect(invoices.map(({ number }) => number)).toEqual(Array.from({ length: many }, (_, i) => i + 1));
    expect(new Set(invoices.map(({ subscriptionId }) => subscriptionId)).size).toBe(many);
    const events = await service.prisma.event.count({ where: { type: 'subscription_invoice_due' } });
    const mails = await service.prisma.message.count({ where: { kind: 'invoice-due' } });
    expect({ events, mails }).toEqual({ events: many, mails: many });
    await expectInvariants(service);
  }, 120_000);
});

const charges = count(30, 10_000);
const workerKills = count(1, 20);
const payers = 6;
const workers = 2;

type WorkerRun = {
  config: JobStoreConfig;
  service: Service;
  merchant: NewMerchant;
  receiver: TestReceiver;
  running: ServiceProcess[];
};

describeStores(`Workers killed ${workerKills} times`, (storeTest) => {
  const test = storeTest.extend('run', async ({ store }, { onCleanup }): Promise<WorkerRun> => {
    const service = withAnnouncer(onTestFinished, store.service);
    const merchant = await seedMerchant(service, {}, new Date());
    // The receiver is slow, so that workers are killed during deliveries.
    const receiver = await startReceiver(
      (_, response) => void setTimeout(() => response.end(), randomInt(40)),
    );
    await seedWebhook(service, merchant, { url: receiver.url, notificationVersion: '1.0' });
    const running: ServiceProcess[] = [];
    onCleanup(async () => {
      await Promise.all(running.map((worker) => worker.end('SIGKILL')));
      await receiver.stop();
    });
    return { config: store.configFor('unused'), service, merchant, receiver, running };
  });

  function startWorker({ config, running }: WorkerRun, place: number): void {
    const { connectionString, mongodbUrl } = config;
    const env = { ...createServiceEnv(connectionString), ...(mongodbUrl && { MONGODB_URL: mongodbUrl }) };
    running[place] = runService({ ...env, ROLE: 'worker' });
  }

  /** Pays each charge in two parts, so that it has several events. */
  async function payAll(
    { service, merchant }: WorkerRun,
    turn: { paid: number; killing: boolean },
  ): Promise<void> {
    while (turn.paid < charges || turn.killing) {
      const input = { notifyPayload: `order ${turn.paid++}` };
      const charge = await retryUntilAvailable(() =>
        seedCharge(service, merchant, { input, now: new Date() }),
      );
      for (const minor of [10_000n, 2_850n]) {
        await retryUntilAvailable(() => payCharge(service, merchant, charge, { minor }));
      }
    }
  }

  async function killSome(run: WorkerRun): Promise<void> {
    const { running, receiver } = run;
    for (let kill = 0; kill < workerKills; kill++) {
      const place = kill % workers;
      await running[place]!.ready();
      const before = receiver.requests.length;
      await waitUntilZero(() => before + 6 - receiver.requests.length, 'deliveries before the next kill');
      await delay(randomInt(300));
      await running[place]!.end('SIGKILL');
      startWorker(run, place);
    }
  }

  /** Expires the claims of killed workers; in the short run also those of running ones. */
  async function expireClaims(run: WorkerRun): Promise<void> {
    const { running, service } = run;
    if (isLongRun) await Promise.all(running.map((worker) => worker.end('SIGKILL')));
    await expireLeases(service);
    if (isLongRun) for (let place = 0; place < workers; place++) startWorker(run, place);
  }

  test(
    `deliver every event of ${charges} charges and more; repeats are equal, and versions order the events of a charge`,
    async ({ run }) => {
      const { receiver, service } = run;
      for (let place = 0; place < workers; place++) startWorker(run, place);
      const turn = { paid: 0, killing: true };
      const killing = killSome(run).finally(() => {
        turn.killing = false;
      });
      await Promise.all([killing, ...Array.from({ length: payers }, () => payAll(run, turn))]);
      await expireClaims(run);
      const events = await service.prisma.event.findMany({
        where: { type: { in: ['charge_part_paid', 'CHARGE_COMPLETE'] } },
        orderBy: { objectVersion: 'asc' },
      });
      expect(turn.paid).toBeGreaterThanOrEqual(charges);
      expect(events).toHaveLength(2 * turn.paid);
      const missing = new Set(events.map(({ id }) => id));
      let previousCount = 0;
      const countMissing = () => {
        for (; previousCount < receiver.requests.length; previousCount++)
          missing.delete(receiver.requests[previousCount]!.headers['webhook-id'] as string);
        return missing.size;
      };
      await waitUntilZero(countMissing, 'events not delivered');

      for (const [id, copies] of byWebhookId(receiver.requests)) {
        const [first] = copies;
        expect(JSON.parse(first!.body).eventId).toBe(id);
        expect(copies.every(({ raw }) => raw.equals(first!.raw))).toBe(true);
      }
      const messagesByCharge = orderMessages(receiver.requests);
      expect(messagesByCharge.size).toBe(turn.paid);
      for (const messages of messagesByCharge.values())
        expect(messages).toEqual(['charge_part_paid', 'CHARGE_COMPLETE']);
      const countPending = () => service.prisma.notification.count({ where: { status: 'pending' } });
      await waitUntilZero(countPending, 'deliveries not recorded');
      await expectInvariants(service);
    },
    // Longer than all waits inside the test.
    count(300_000, 4 * 3_600_000),
  );
});

/** Retries, as a client does, while a busy machine has no connection or time. */
async function retryUntilAvailable<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    }
  }
}

function byWebhookId(requests: readonly ReceivedRequest[]): Map<string, ReceivedRequest[]> {
  return Map.groupBy(requests, ({ headers }) => headers['webhook-id'] as string);
}

/** The messages of each charge by version, without duplicates. */
function orderMessages(requests: readonly ReceivedRequest[]): Map<string, string[]> {
  const bodies = [...byWebhookId(requests).values()].map(([request]) => JSON.parse(request!.body));
  const ofCharges = Map.groupBy(bodies, ({ chargeId }) => chargeId as string);
  return new Map(
    [...ofCharges].map(([chargeId, messages]) => [
      chargeId,
      messages.toSorted((a, b) => a.objectVersion - b.objectVersion).map(({ message }) => message as string),
    ]),
  );
}
