import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { closeDb } from '../../src/kit/db.ts';
import { hourMs, minuteMs } from '../../src/kit/duration.ts';
import { readProcessStartTime } from '../../src/kit/embedded-postgres/process-info.ts';
import { count, isLongRun } from '../setup/counts.ts';
import { getEventTypes } from '../setup/database-state.ts';
import { fileTest } from '../setup/fixtures.ts';
import { expireLeases, seedWebhook } from '../setup/notifications.ts';
import { startPgBouncer } from '../setup/pgbouncer.ts';
import { neverRespond, startReceiver, type TestReceiver } from '../setup/receiver.ts';
import { type RunningPostgresProcess, runPostgresProcess } from '../setup/run-postgres-process.ts';
import { seedCharge, seedMerchant } from '../setup/seed.ts';
import { openServiceWithDataKeys, type ServiceOnDatabase, setupService } from '../setup/service.ts';
import { type Site, underLoad } from './client-load.ts';
import { createConnectionCutter } from './connection-cutter.ts';
import { createServiceEnv } from './create-service-env.ts';
import { killPostgres, signalPostgres } from './kill-postgres.ts';
import { runService, type ServiceProcess } from './run-service.ts';
import { openSmallDisk, type SmallDisk } from './small-disk.ts';

type FaultRun = {
  service: ServiceOnDatabase;
  merchant: NewMerchant;
  receiver: TestReceiver;
  hanging: TestReceiver;
  api: ServiceProcess;
  worker: ServiceProcess;
  url: string;
  cut: (most: number) => Promise<void>;
};

const serviceTest = fileTest.extend('run', { scope: 'file' }, async ({ onFileCleanup }) => {
  const run = {} as FaultRun;
  run.url = '';
  run.service = await setupService(onFileCleanup);
  onFileCleanup(async () => {
    await Promise.all([run.api?.end('SIGKILL'), run.worker?.end('SIGKILL')]);
    await run.receiver?.stop();
    await run.hanging?.stop();
  });
  run.merchant = await seedMerchant(run.service, {}, new Date());
  run.receiver = await startReceiver();
  run.hanging = await startReceiver(neverRespond());
  await seedWebhook(run.service, run.merchant, { url: run.receiver.url });
  // Another endpoint of the merchant accepts requests and never responds.
  await seedWebhook(run.service, run.merchant, { url: run.hanging.url });
  run.cut = await createConnectionCutter(run.service, run.service.connectionString);
  run.worker = start(run, 'worker');
  run.api = start(run, 'api');
  run.url = (await run.api.ready()).url;
  await run.worker.ready();
  return run;
});

function start(run: FaultRun, role: 'api' | 'worker', port = '0'): ServiceProcess {
  return runService({ ...createServiceEnv(run.service.connectionString), ROLE: role, PORT: port });
}

describe('Service', () => {
  const test = serviceTest;

  const site = (run: FaultRun): Site => ({
    service: run.service,
    merchant: run.merchant,
    receiver: run.receiver,
    url: () => run.url,
    logged: () => run.api.logged(),
  });
  const minutes = (many: number) => ({ timeout: many * 60_000 });

  test('loses nothing when connections to PostgreSQL are cut one by one', minutes(5), async ({ run }) => {
    const { cutOff } = await underLoad(site(run), async () => {
      for (let time = 0; time < count(10, 500); time++) {
        await run.cut(1);
        await delay(randomInt(100));
      }
    });
    expect(cutOff).toBe(0);
    expect([run.api.child.exitCode, run.worker.child.exitCode]).toEqual([null, null]);
  });

  test(
    'accepts requests while the job store is unavailable, and sends notifications afterwards',
    minutes(2),
    async ({ run }) => {
      const { rejected } = await underLoad(site(run), async (ledger) => {
        await run.service.pool.query('ALTER TABLE agenda_jobs RENAME TO agenda_jobs_away');
        await expect.poll(() => run.worker.logged()).toContain('agenda_jobs');
        const ended = ledger.ends.size;
        await expect.poll(() => ledger.ends.size).toBeGreaterThan(ended + count(8, 20));
        await run.service.pool.query('ALTER TABLE agenda_jobs_away RENAME TO agenda_jobs');
      });
      expect(rejected).toBe(0);
    },
  );

  test.for([
    ['as an event is written', 'NOT DEFERRABLE'],
    ['as the transaction commits', 'DEFERRABLE INITIALLY DEFERRED'],
  ] as const)(
    'returns 503 and stores nothing when the disk is full (SQLSTATE 53100) %s',
    minutes(10),
    async ([_, when], { run }) => {
      const { cutOff } = await underLoad(site(run), async (ledger) => {
        const { rejected } = ledger;
        await run.service.pool.query(`
      CREATE OR REPLACE FUNCTION no_space() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF random() < 0.5 THEN RAISE 'No space left on device' USING ERRCODE = '53100'; END IF;
        RETURN NULL;
      END $$;
      CREATE CONSTRAINT TRIGGER no_space AFTER INSERT ON event ${when} FOR EACH ROW EXECUTE FUNCTION no_space()`);
        try {
          const timeout = count(20_000, 300_000);
          await expect.poll(() => ledger.rejected, { timeout }).toBeGreaterThan(rejected + count(10, 500));
        } finally {
          await run.service.pool.query('DROP TRIGGER no_space ON event');
        }
      });
      expect(cutOff).toBe(0);
    },
  );

  // In the short run, kills.test.ts and multiple-processes.test.ts kill services.
  test.runIf(isLongRun)('loses nothing when it is killed repeatedly', minutes(30), async ({ run }) => {
    await underLoad(site(run), async () => {
      for (let kill = 0; kill < 50; kill++) {
        await delay(randomInt(500));
        if (kill % 2 === 0) {
          await run.api.end('SIGKILL');
          run.api = start(run, 'api', new URL(run.url).port);
          await run.api.ready();
        } else {
          await run.worker.end('SIGKILL');
          run.worker = start(run, 'worker');
          await run.worker.ready();
        }
      }
      await run.worker.end('SIGKILL');
      await expireLeases(run.service);
      run.worker = start(run, 'worker');
      await run.worker.ready();
    });
  });

  // In the short run, start.test.ts and test/http/connections.test.ts send SIGTERM.
  test.runIf(isLongRun)(
    'answers running requests after SIGTERM, while other processes take over',
    minutes(2),
    async ({ run }) => {
      // A worker waits for running jobs, here for its whole grace period.
      await run.hanging.stop();
      const { cutOff } = await underLoad(site(run), async () => {
        const stopping = [run.api, run.worker];
        [run.api, run.worker] = [start(run, 'api'), start(run, 'worker')];
        const next = await run.api.ready();
        await run.worker.ready();
        const ends = stopping.map((process) => process.end('SIGTERM'));
        run.url = next.url;
        expect(await Promise.all(ends)).toEqual([0, 0]);
      });
      expect(cutOff).toBe(0);
    },
  );
});

type PostgresRun = {
  disk: SmallDisk;
  postgres: RunningPostgresProcess;
  pid: number;
  service: Service;
  merchant: NewMerchant;
  receiver: TestReceiver;
  running: ServiceProcess;
  url: string;
};

const postgresqlTest = fileTest.extend('run', { scope: 'file' }, async ({ onFileCleanup }) => {
  const run = {} as PostgresRun;
  run.pid = 0;
  run.url = '';
  run.disk = await openSmallDisk(onFileCleanup);
  onFileCleanup(async () => {
    await run.running?.end('SIGKILL');
    await run.receiver?.stop();
    if (run.service) await closeDb(run.service);
    await run.postgres?.end();
  });
  const connectionString = await startPostgres(run);
  // Its port does not change when it restarts.
  const pooler = process.env.PGBOUNCER
    ? await startPgBouncer(onFileCleanup, { connectionString })
    : undefined;
  run.running = runService({
    ...createServiceEnv(connectionString),
    ...(pooler && { DATABASE_URL: pooler.toPooled(connectionString) }),
  });
  run.url = (await run.running.ready()).url;
  run.service = await openServiceWithDataKeys(connectionString, { onError: () => {} });
  run.merchant = await seedMerchant(run.service, {}, new Date());
  run.receiver = await startReceiver();
  await seedWebhook(run.service, run.merchant, { url: run.receiver.url });
  return run;
});

async function startPostgres(run: PostgresRun): Promise<string> {
  const options = { dataDir: join(run.disk.folder, 'data'), settings: { fsync: 'off' } };
  run.postgres = runPostgresProcess(options, { inside: run.disk.commandPrefix });
  const ready = await run.postgres.ready();
  run.pid = ready.pid;
  return ready.connectionString;
}

describe('PostgreSQL', () => {
  const test = postgresqlTest;

  const site = (run: PostgresRun): Site => ({
    service: run.service,
    merchant: run.merchant,
    receiver: run.receiver,
    url: () => run.url,
    logged: () => run.running.logged(),
  });
  const minutes = (many: number) => ({ timeout: many * 60_000 });

  /** Restarts PostgreSQL as an operator would. */
  async function restartPostgres(run: PostgresRun): Promise<void> {
    await run.postgres.end();
    await startPostgres(run);
  }

  const isUnavailable = async (run: PostgresRun) => (await fetch(`${run.url}/readyz`)).status === 503;

  test('can be killed and unavailable for some time', minutes(20), async ({ run }) => {
    const { cutOff } = await underLoad(site(run), async (ledger) => {
      for (let kill = 0; kill < count(1, 20); kill++) {
        await delay(Math.random() * 300);
        const { rejected } = ledger;
        await killPostgres(run.pid);
        // In the long run it restarts immediately, because the next test stops it for longer.
        await delay(count(1_500, 0));
        if (kill === 0) await expect.poll(() => ledger.rejected).toBeGreaterThan(rejected);
        await restartPostgres(run);
        await expect.poll(() => isUnavailable(run)).toBe(false);
      }
    });
    expect(cutOff).toBe(0);
  });

  test.runIf(isLongRun)('can be unavailable for 60 s', minutes(5), async ({ run }) => {
    const { cutOff } = await underLoad(site(run), async (ledger) => {
      const { rejected } = ledger;
      await run.postgres.end();
      await delay(60_000);
      expect(ledger.rejected).toBeGreaterThan(rejected);
      expect(await isUnavailable(run)).toBe(true);
      await startPostgres(run);
    });
    expect(cutOff).toBe(0);
  });

  test(`can hang for ${count(1, 45)} s`, minutes(5), async ({ run }) => {
    const { cutOff } = await underLoad(site(run), async () => {
      await signalPostgres(run.pid, 'SIGSTOP');
      await delay(count(1_000, 45_000));
      await signalPostgres(run.pid, 'SIGCONT');
    });
    expect(cutOff).toBe(0);
  });

  test('can run out of disk space', minutes(5), async ({ run, skip, task }) => {
    if (run.disk.obstacle !== undefined) {
      console.warn(
        `Skipped "${task.name}": a disk of a fixed size cannot be created here (${run.disk.obstacle})`,
      );
      skip(run.disk.obstacle);
    }
    const { cutOff } = await underLoad(site(run), async (ledger) => {
      const { rejected } = ledger;
      await run.disk.fill();
      await expect
        .poll(() => ledger.rejected, { timeout: 60_000 })
        .toBeGreaterThan(rejected + count(10, 500));
      await run.disk.free();
      // PostgreSQL ends if its WAL cannot grow.
      const isBack = async () => {
        if ((await readProcessStartTime(run.pid)) === undefined) await restartPostgres(run);
        return !(await isUnavailable(run));
      };
      await expect.poll(isBack, { timeout: 60_000 }).toBe(true);
    });
    expect(cutOff).toBe(0);
  });
});

type ClockRun = {
  service: ServiceOnDatabase;
  merchant: NewMerchant;
  receiver: TestReceiver;
  running: ServiceProcess;
  offMs: number;
};

const clockTest = fileTest.extend('run', { scope: 'file' }, async ({ onFileCleanup }) => {
  const run = {} as ClockRun;
  run.offMs = 0;
  run.service = await setupService(onFileCleanup);
  onFileCleanup(async () => {
    await run.running?.end('SIGKILL');
    await run.receiver?.stop();
  });
  run.merchant = await seedMerchant(run.service, {}, new Date());
  run.receiver = await startReceiver();
  await seedWebhook(run.service, run.merchant, { url: run.receiver.url, notificationVersion: '1.0' });
  const command = [process.execPath, 'scripts/launch.mjs', 'test/process/jumping-service.ts'];
  run.running = runService(createServiceEnv(run.service.connectionString), command);
  return run;
});

describe('Clock', () => {
  const test = clockTest;

  async function setClock(run: ClockRun, ms: number): Promise<void> {
    run.running.child.stdin!.write(`${ms}\n`);
    await expect.poll(() => run.running.output()).toContain(`The clock is off by ${ms} ms`);
    run.offMs = ms;
  }

  const readStatus = async (run: ClockRun, id: string) =>
    (await run.service.prisma.charge.findUniqueOrThrow({ where: { id } })).status;

  test.runIf(isLongRun)(
    'can jump hours forwards, minutes backwards, and forwards again',
    {
      timeout: 120_000,
    },
    async ({ run }) => {
      const { url } = await run.running.ready();
      const waiting = await seedCharge(run.service, run.merchant, {
        now: new Date(),
        input: { notifyPayload: 'waits' },
      });
      const site = {
        service: run.service,
        merchant: run.merchant,
        receiver: run.receiver,
        url: () => url,
        logged: () => run.running.logged(),
      };
      const now = () => new Date(Date.now() + run.offMs);
      const { cutOff } = await underLoad({ ...site, now, mayExpire: true }, async (ledger) => {
        const continueLoad = async () => {
          const { size } = ledger.ends;
          await expect.poll(() => ledger.ends.size).toBeGreaterThan(size + 12);
        };
        await setClock(run, 5 * hourMs);
        await expect.poll(() => readStatus(run, waiting.id)).toBe('expired');
        await continueLoad();
        await setClock(run, 5 * hourMs - 10 * minuteMs);
        await continueLoad();
        // Work scheduled in the future by the skewed clock is due when the clock is right.
        await setClock(run, 5 * hourMs);
      });
      expect(cutOff).toBe(0);
      expect(await getEventTypes(run.service, { objectId: waiting.id })).toEqual([
        'charge_created',
        'charge_expired',
      ]);
    },
  );
});
