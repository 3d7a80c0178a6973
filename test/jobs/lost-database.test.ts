import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { getTestPostgres } from '../setup/test-postgres.ts';
import { openPostgres, type TestStore } from './stores.ts';
import { countingJob, startWorker, stopWorkersAfterEach } from './test-worker.ts';

const onCleanup = cleanupAfterFile();

const often = { interval: 20 };

let store: TestStore;
let admin: pg.Client;
let database: string;

beforeAll(async () => {
  store = await openPostgres(onCleanup);
  database = new URL(store.service.connectionString).pathname.slice(1);
  admin = new pg.Client({ connectionString: (await getTestPostgres()).url });
  await admin.connect();
  return () => admin.end();
});
stopWorkersAfterEach();

test('a worker goes on when its connections are cut', async () => {
  const job = countingJob();
  const worker = await startWorker(store, `cut-${randomBytes(4).toString('hex')}`, [job]);
  for (let round = 0; round < 5; round++) {
    await cutConnections();
    const before = job.runs;
    await expect
      .poll(() => {
        worker.notice();
        return job.runs;
      }, often)
      .toBeGreaterThan(before);
  }
});

test('a worker waits while there is no database, and goes on with its schedules after', async () => {
  const job = countingJob({ name: 'tick', every: '1 second' });
  const worker = await startWorker(store, 'outage', [job]);
  await expect.poll(() => job.runs, often).toBeGreaterThanOrEqual(2);
  await admin.query(`ALTER DATABASE ${database} ALLOW_CONNECTIONS false`);
  await cutConnections();
  await expect.poll(() => worker.errors.length, often).toBeGreaterThanOrEqual(3);
  await admin.query(`ALTER DATABASE ${database} ALLOW_CONNECTIONS true`);
  const before = job.runs;
  await expect.poll(() => job.runs, often).toBeGreaterThanOrEqual(before + 2);
  await worker.stop({ graceMs: 5_000 });
});

test('a worker stops, although there is no database', async () => {
  const worker = await startWorker(store, 'stops', [countingJob({ every: '1 second' })]);
  await admin.query(`ALTER DATABASE ${database} ALLOW_CONNECTIONS false`);
  await cutConnections();
  await worker.stop({ graceMs: 1_000 });
  await admin.query(`ALTER DATABASE ${database} ALLOW_CONNECTIONS true`);
});

async function cutConnections(): Promise<void> {
  await admin.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = $1 AND application_name = 'causeway jobs'`,
    [database],
  );
}
