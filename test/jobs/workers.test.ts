import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { describe, expect, vi } from 'vitest';
import { createAgenda, lockLifetimeMs } from '../../src/jobs/agenda.ts';
import { serviceJobs } from '../../src/jobs/definitions.ts';
import type { JobStore, JobStoreConfig } from '../../src/jobs/job-store.ts';
import { openJobStore } from '../../src/jobs/open-job-store.ts';
import { ensureSchedules } from '../../src/jobs/schedules.ts';
import { hourMs } from '../../src/kit/duration.ts';
import { throwError } from '../setup/errors.ts';
import { seedDueNotifications, seedWebhook } from '../setup/notifications.ts';
import { startReceiver } from '../setup/receiver.ts';
import { seedMerchant } from '../setup/seed.ts';
import { getTestPostgres } from '../setup/test-postgres.ts';
import { describeStores, postgresStoreTest, type TestStore } from './stores.ts';
import { createCountingJob, createGate, startWorker, stopWorkersAfterEach } from './test-worker.ts';

const often = { interval: 20 };

describeStores('A worker', (test) => {
  stopWorkersAfterEach();

  test('runs a job repeatedly on its schedule', async ({ store }) => {
    const times: number[] = [];
    const work = async () => void times.push(Date.now());
    const job = createCountingJob({ name: 'tick', every: '1 second', work });
    const { errors } = await startWorker(store, 'schedule', [job]);
    await expect.poll(() => times.length, often).toBeGreaterThanOrEqual(5);
    // Two runs may happen at the start, by the schedule and by the worker; the others are a second apart.
    expect(times[4]! - times[0]!).toBeGreaterThan(900);
    expect(errors).toEqual([]);
  });

  test('relays immediately when a charge has changed', async ({ store }) => {
    // Without a trigger, the job runs every five minutes.
    const job = createCountingJob({ keepAlive: true, idleIntervalMs: 300_000 });
    const worker = await startWorker(store, 'wake', [job]);
    await expect.poll(() => job.runs, often).toBeGreaterThanOrEqual(1);
    for (let round = 0; round < 10; round++) {
      const before = job.runs;
      worker.notice();
      await expect.poll(() => job.runs, { interval: 1 }).toBeGreaterThan(before);
    }
  });

  test('starts a run for a change when no resident run exists', async ({ store }) => {
    const job = createCountingJob();
    const worker = await startWorker(store, 'begin', [job]);
    for (let round = 0; round < 3; round++) {
      await waitUntilSettled(worker.agenda, job);
      const before = job.runs;
      worker.notice();
      await expect.poll(() => job.runs, often).toBeGreaterThan(before);
    }
  });

  test('starts another run for a change at the end of a run', async ({ store }) => {
    let blocked = createGate();
    blocked.open();
    const job = createCountingJob({ work: () => blocked.opened });
    const worker = await startWorker(store, 'late', [job]);
    await waitUntilSettled(worker.agenda, job);
    blocked = createGate();
    const before = job.runs;
    worker.notice();
    await expect.poll(() => job.runs, often).toBeGreaterThan(before);
    worker.notice();
    blocked.open();
    await expect.poll(() => job.runs, often).toBeGreaterThanOrEqual(before + 2);
  });

  test('runs few sweeps for a burst of changes, the last of them after the last change', async ({
    store,
  }) => {
    let lastNotice = 0;
    let lastSweep = 0;
    const job = createCountingJob({
      keepAlive: true,
      work: async () => {
        lastSweep = performance.now();
      },
    });
    const worker = await startWorker(store, 'burst', [job]);
    await expect.poll(() => job.runs, often).toBeGreaterThanOrEqual(1);
    const before = job.runs;
    const start = performance.now();
    for (let notice = 0; notice < 2_000; notice++) {
      worker.notice();
      lastNotice = performance.now();
      await new Promise(setImmediate);
    }
    const tookMs = lastNotice - start;
    await expect.poll(() => lastSweep, often).toBeGreaterThan(lastNotice);
    // Sweeps begin at least ten milliseconds apart; the first run of the schedule may be an additional one.
    expect(job.runs - before).toBeLessThanOrEqual(tookMs / 10 + 3);
  });

  test('reports a failed run, and runs the job again', async ({ store }) => {
    const job = createCountingJob({
      name: 'fails-once',
      every: '1 second',
      work: async () => {
        if (job.runs === 1) throw new Error('the first run failed');
      },
    });
    const { errors } = await startWorker(store, 'failing', [job]);
    await expect.poll(() => job.runs, often).toBeGreaterThanOrEqual(2);
    expect(errors.map(({ message }) => message)).toEqual(['the first run failed']);
  });

  test('ends the run of a paused job, and does not start it, also after a restart', async ({ store }) => {
    const job = createCountingJob({ every: '1 second', keepAlive: true });
    const other = createCountingJob({ name: 'other', every: '1 second' });
    const first = await startWorker(store, 'pause-1', [job]);
    await expect.poll(() => job.runs, often).toBeGreaterThanOrEqual(1);
    await first.agenda.disable({ name: job.name });
    await expect.poll(() => first.agenda.queryJobs({ state: 'running' }), often).toMatchObject({ total: 0 });
    await first.stop({ graceMs: 5_000 });

    const before = job.runs;
    const second = await startWorker(store, 'pause-2', [job, other]);
    second.notice();
    await expect.poll(() => other.runs, often).toBeGreaterThanOrEqual(3);
    expect(job.runs).toBe(before);
    await second.agenda.enable({ name: job.name });
    await expect.poll(() => job.runs, often).toBeGreaterThan(before);
  });

  test('starts no more deliveries while their job is paused', async ({ store }) => {
    const merchant = await seedMerchant(store.service);
    await using receiver = await startReceiver((_, response) => void setTimeout(() => response.end(), 50));
    await seedWebhook(store.service, merchant, { url: receiver.url, concurrency: 1 });
    await seedDueNotifications(store.service, merchant, 200);
    const deliver = serviceJobs.filter(({ name }) => name === 'deliver-notifications');
    const { agenda } = await startWorker(store, 'paused-deliveries', deliver);
    await receiver.waitFor((requests) => requests.length > 0);
    await agenda.disable({ name: 'deliver-notifications' });
    const countInHalfSecond = async () => {
      const before = receiver.requests.length;
      await delay(500);
      return receiver.requests.length - before;
    };
    await expect.poll(countInHalfSecond, often).toBe(0);
    const sent = receiver.requests.length;
    expect(sent).toBeLessThan(200);
    await agenda.enable({ name: 'deliver-notifications' });
    await receiver.waitFor((requests) => requests.length > sent);
  });

  test('runs a job at its new interval when a newer release has changed it', async ({ store }) => {
    const old = createCountingJob({ name: 'changed', every: '1 hour' });
    const first = await startWorker(store, 'interval-1', [old]);
    await waitUntilSettled(first.agenda, old);
    await first.stop({ graceMs: 5_000 });
    const job = createCountingJob({ name: 'changed', every: '1 second' });
    await startWorker(store, 'interval-2', [job]);
    await expect.poll(() => job.runs, often).toBeGreaterThanOrEqual(3);
  });

  test('resets and reports jobs that a skewed clock has postponed or locked', async ({ store }) => {
    const postponed = createCountingJob({ name: 'postponed', every: '1 second' });
    const locked = createCountingJob({ name: 'locked', every: '1 second' });
    const ahead = new Date(Date.now() + 5 * hourMs);
    await seedSchedule(store, postponed, { nextRunAt: ahead });
    await seedSchedule(store, locked, { nextRunAt: ahead, lockedAt: ahead });
    const { errors } = await startWorker(store, 'right', [postponed, locked]);
    // The start of the worker causes one of the runs.
    await expect.poll(() => Math.min(postponed.runs, locked.runs), often).toBeGreaterThanOrEqual(3);
    expect(errors.map(({ message }) => message)).toEqual([
      'Jobs scheduled in the future by a skewed clock were reset: postponed, locked',
    ]);
  });

  test('recreates a schedule that an operator has deleted', async ({ store }) => {
    const job = createCountingJob({ name: 'deleted' });
    const worker = await startWorker(store, 'deleted', [job]);
    await waitUntilSettled(worker.agenda, job);
    expect(await worker.agenda.cancel({ name: 'deleted' })).toBeGreaterThan(0);
    const countSchedules = async () => (await worker.agenda.queryJobs({ name: 'deleted' })).total;
    await expect.poll(countSchedules, often).toBe(1);
  });
});

async function seedSchedule(
  store: TestStore,
  schedule: { name: string; every: string },
  state: { nextRunAt: Date; lockedAt?: Date },
): Promise<void> {
  const jobs = await openJobStore(store.configFor('before'), throwError);
  const agenda = createAgenda(jobs, { processName: 'before', runsJobs: false, onError: throwError });
  await ensureSchedules(agenda, [schedule]);
  const { jobs: schedules } = await agenda.queryJobs({ name: schedule.name });
  await jobs.repository.saveJobState({ ...schedules[0]!, ...state }, undefined);
  await jobs.close();
}

/** Waits until no run of the job is queued or running. */
async function waitUntilSettled(
  agenda: Awaited<ReturnType<typeof startWorker>>['agenda'],
  job: { name: string; runs: number },
): Promise<void> {
  await vi.waitFor(
    async () => {
      const { jobs } = await agenda.queryJobs({ name: job.name });
      expect(job.runs).toBeGreaterThan(0);
      expect(jobs).toMatchObject([{ state: 'repeating' }]);
      expect(jobs[0]?.nextRunAt?.getTime()).toBeGreaterThan(Date.now());
    },
    { timeout: 20_000, interval: 20 },
  );
}

describeStores('A worker that is stopped', (test) => {
  stopWorkersAfterEach();

  test('aborts a run, waits for it, and leaves nothing locked', async ({ store }) => {
    const started = createGate();
    const ended: string[] = [];
    const job = createCountingJob({
      work: async ({ service }, signal) => {
        started.open();
        if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
        await service.pool.query('SELECT pg_sleep(0.2)');
        ended.push('the run');
      },
    });
    const idle = createCountingJob({ name: 'idle', every: '1 second' });
    const resident = createCountingJob({ name: 'resident', every: '1 second', keepAlive: true });
    const worker = await startWorker(store, 'stopped', [job, idle, resident]);
    await started.opened;
    await worker.stop({ graceMs: 5_000 });
    ended.push('the worker');
    expect(ended).toEqual(['the run', 'the worker']);
    expect(worker.errors).toEqual([]);
    expect(await readLockedJobs(store)).toEqual([]);
  });

  test('starts no other run', async ({ store }) => {
    const job = createCountingJob({ every: '1 second' });
    const worker = await startWorker(store, 'quiet', [job]);
    await expect.poll(() => job.runs, often).toBeGreaterThanOrEqual(1);
    const stopping = worker.stop({ graceMs: 5_000 });
    const runs = job.runs;
    worker.notice();
    await stopping;
    const other = createCountingJob({ name: 'other', every: '1 second' });
    await startWorker(store, 'later', [other]);
    await expect.poll(() => other.runs, often).toBeGreaterThanOrEqual(3);
    expect(job.runs).toBe(runs);
  });

  test('waits no longer than its grace period, and releases the job to another worker', async ({ store }) => {
    const forever = createGate();
    const hanging = createCountingJob({ every: '1 second', work: () => forever.opened });
    const worker = await startWorker(store, 'hanging', [hanging]);
    await expect.poll(() => hanging.runs, often).toBe(1);
    // The run does not end within the grace period.
    await worker.stop({ graceMs: 300 });
    expect(await readLockedJobs(store)).toEqual([]);
    const job = createCountingJob({ every: '1 second' });
    await startWorker(store, 'successor', [job]);
    await expect.poll(() => job.runs, often).toBeGreaterThanOrEqual(3);
    forever.open();
  });

  test('starts no run that Agenda was about to start', async ({ store }) => {
    for (let round = 0; round < 20; round++) {
      let stopping = false;
      const late: string[] = [];
      const job = createCountingJob({
        every: '1 second',
        work: async () => void (stopping && late.push('began')),
      });
      const worker = await startWorker(store, `round-${round}`, [job]);
      // Each round stops the worker at another point between the schedule and the run.
      const stopAt = performance.now() + round * 0.7;
      while (performance.now() < stopAt) await new Promise(setImmediate);
      stopping = true;
      await worker.stop({ graceMs: 5_000 });
      expect(late).toEqual([]);
      expect(await readLockedJobs(store)).toEqual([]);
    }
  });

  test('can be stopped without having been started', async ({ store }) => {
    const job = createCountingJob();
    const worker = await startWorker(store, 'built', [job], { start: false });
    await worker.stop({ graceMs: 0 });
    expect(job.runs).toBe(0);
    expect(worker.errors).toEqual([]);
  });
});

async function readLockedJobs(store: TestStore): Promise<string[]> {
  const { repository, close } = await openJobStore(store.configFor('looks'), throwError);
  const { jobs } = await repository.queryJobs();
  await close();
  return jobs.filter(({ lockedAt }) => lockedAt).map(({ name }) => name);
}

const script = fileURLToPath(new URL('./worker-process.ts', import.meta.url));

describeStores('After a worker was killed during a run', (storeTest) => {
  const test = storeTest.extend('jobs', async ({ store }, { onCleanup }) => {
    const jobs = await openJobStore(store.configFor('looks'), throwError);
    onCleanup(() => jobs.close());
    return jobs;
  });
  stopWorkersAfterEach();

  test('the next worker runs the job immediately, and takes over locked jobs when the locks expire', async ({
    store,
    jobs,
  }) => {
    await killMidRun(store.configFor('killed'));
    const locked = await readJobsLockedBy(jobs, 'killed');
    expect(locked.length).toBeGreaterThan(0);

    const job = createCountingJob({ every: '1 second' });
    await startWorker(store, 'next', [job]);
    await expect.poll(() => job.runs).toBeGreaterThanOrEqual(1);
    expect(await readJobsLockedBy(jobs, 'killed')).toEqual(locked);

    await expireLocks(jobs, 'killed');
    await expect.poll(() => readJobsLockedBy(jobs, 'killed')).toEqual([]);
    const before = job.runs;
    await expect.poll(() => job.runs).toBeGreaterThanOrEqual(before + 2);
    // A worker that is killed between the end of a job and its deletion leaves it completed, until `purge-jobs`.
    const readOpenOneOffs = async () =>
      (await jobs.repository.queryJobs()).jobs.filter(
        ({ type, state }) => type === 'normal' && state !== 'completed',
      );
    await expect.poll(readOpenOneOffs).toEqual([]);
  });
});

/** Starts a worker process, and kills it when its run has begun. */
async function killMidRun(config: JobStoreConfig): Promise<void> {
  const child: ChildProcess = spawn(process.execPath, [script, JSON.stringify(config)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(createInterface(child.stdout!), 'line');
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function readJobsLockedBy(jobs: JobStore, processName: string): Promise<string[]> {
  const { jobs: allJobs } = await jobs.repository.queryJobs();
  const locked = allJobs.filter((job) => job.lockedAt && job.lastModifiedBy === processName);
  return locked.map((job) => String(job._id)).sort();
}

async function expireLocks(jobs: JobStore, processName: string): Promise<void> {
  const { jobs: allJobs } = await jobs.repository.queryJobs();
  for (const job of allJobs.filter(
    ({ lockedAt, lastModifiedBy }) => lockedAt && lastModifiedBy === processName,
  )) {
    const lockedAt = new Date(job.lockedAt!.getTime() - lockLifetimeMs);
    await jobs.repository.saveJobState({ ...job, lockedAt }, { lastModifiedBy: processName });
  }
}

const lostDatabaseTest = postgresStoreTest
  .extend('database', { scope: 'file' }, ({ store }) =>
    new URL(store.service.connectionString).pathname.slice(1),
  )
  .extend('admin', { scope: 'file' }, async ({ onFileCleanup }) => {
    const admin = new pg.Client({ connectionString: (await getTestPostgres()).url });
    await admin.connect();
    onFileCleanup(() => admin.end());
    return admin;
  });

describe('A worker without its database', () => {
  const test = lostDatabaseTest;

  stopWorkersAfterEach();

  test('continues after its connections were cut', async ({ store, admin, database }) => {
    const job = createCountingJob();
    const worker = await startWorker(store, `cut-${randomBytes(4).toString('hex')}`, [job]);
    for (let round = 0; round < 5; round++) {
      await cutConnections(admin, database);
      const before = job.runs;
      await expect
        .poll(() => {
          worker.notice();
          return job.runs;
        }, often)
        .toBeGreaterThan(before);
    }
  });

  test('waits, and continues its schedules afterwards', async ({ store, admin, database }) => {
    const job = createCountingJob({ name: 'tick', every: '1 second' });
    const worker = await startWorker(store, 'outage', [job]);
    await expect.poll(() => job.runs, often).toBeGreaterThanOrEqual(2);
    await admin.query(`ALTER DATABASE ${database} ALLOW_CONNECTIONS false`);
    await cutConnections(admin, database);
    await expect.poll(() => worker.errors.length, often).toBeGreaterThanOrEqual(3);
    await admin.query(`ALTER DATABASE ${database} ALLOW_CONNECTIONS true`);
    const before = job.runs;
    await expect.poll(() => job.runs, often).toBeGreaterThanOrEqual(before + 2);
    await worker.stop({ graceMs: 5_000 });
  });

  test('can be stopped', async ({ store, admin, database }) => {
    const worker = await startWorker(store, 'stops', [createCountingJob({ every: '1 second' })]);
    await admin.query(`ALTER DATABASE ${database} ALLOW_CONNECTIONS false`);
    await cutConnections(admin, database);
    await worker.stop({ graceMs: 1_000 });
    await admin.query(`ALTER DATABASE ${database} ALLOW_CONNECTIONS true`);
  });

  async function cutConnections(admin: pg.Client, database: string): Promise<void> {
    // A connection of a pooler has the name of its last user, who may have none.
    const name = process.env.TEST_POOLER ? '%' : 'causeway jobs';
    await admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = $1 AND application_name LIKE $2`,
      [database, name],
    );
  }
});
