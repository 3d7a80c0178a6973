import { beforeEach, expect, test, vi } from 'vitest';
import { createAgenda } from '../../src/jobs/agenda.ts';
import { openJobStore } from '../../src/jobs/open-job-store.ts';
import { ensureSchedules } from '../../src/jobs/schedules.ts';
import { hourMs } from '../../src/kit/duration.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { throwError } from '../setup/errors.ts';
import { describeStores, type TestStore } from './stores.ts';
import { countingJob, gate, startWorker, stopWorkersAfterEach } from './test-worker.ts';

const onCleanup = cleanupAfterFile();

const often = { interval: 20 };

describeStores(onCleanup, 'A worker', (openStore) => {
  let store: TestStore;
  beforeEach(async () => {
    store ??= await openStore();
  });
  stopWorkersAfterEach();

  test('runs a job on its schedule, again and again', async () => {
    const times: number[] = [];
    const work = async () => void times.push(Date.now());
    const job = countingJob({ name: 'tick', every: '1 second', work });
    const { errors } = await startWorker(store, 'schedule', [job]);
    await expect.poll(() => times.length, often).toBeGreaterThanOrEqual(5);
    // Two of them may be at the start, the schedule's first and the worker's own; the others keep a second's distance.
    expect(times[4]! - times[0]!).toBeGreaterThan(900);
    expect(errors).toEqual([]);
  });

  test('relays at once when a charge has changed', async () => {
    // By itself it looks once in five minutes.
    const job = countingJob({ keepAlive: true, idleIntervalMs: 300_000 });
    const worker = await startWorker(store, 'wake', [job]);
    await expect.poll(() => job.runs, often).toBeGreaterThanOrEqual(1);
    for (let round = 0; round < 10; round++) {
      const before = job.runs;
      worker.notice();
      await expect.poll(() => job.runs, { interval: 1 }).toBeGreaterThan(before);
    }
  });

  test('begins a run for a change when none stands by', async () => {
    const job = countingJob();
    const worker = await startWorker(store, 'begin', [job]);
    for (let round = 0; round < 3; round++) {
      await settled(worker.agenda, job);
      const before = job.runs;
      worker.notice();
      await expect.poll(() => job.runs, often).toBeGreaterThan(before);
    }
  });

  test('has another run look for what changed while one was at the end of its work', async () => {
    let held = gate();
    held.open();
    const job = countingJob({ work: () => held.opened });
    const worker = await startWorker(store, 'late', [job]);
    await settled(worker.agenda, job);
    held = gate();
    const before = job.runs;
    worker.notice();
    await expect.poll(() => job.runs, often).toBeGreaterThan(before);
    worker.notice();
    held.open();
    await expect.poll(() => job.runs, often).toBeGreaterThanOrEqual(before + 2);
  });

  test('answers a burst of changes with few sweeps, the last of which begins after the last change', async () => {
    let lastNotice = 0;
    let lastSweep = 0;
    const job = countingJob({
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
    // However long that took here: a sweep begins ten milliseconds after the one before it at the soonest. One more is
    // the first of the schedule, where that comes after the worker's own.
    expect(job.runs - before).toBeLessThanOrEqual(tookMs / 10 + 3);
  });

  test('reports a failed run, and runs the job again', async () => {
    const job = countingJob({
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

  test('ends the run of what an operator has paused, and does not wake it, also after a new start', async () => {
    const job = countingJob({ every: '1 second', keepAlive: true });
    const other = countingJob({ name: 'other', every: '1 second' });
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

  test('runs a job at its new interval when a newer release has changed it', async () => {
    const old = countingJob({ name: 'changed', every: '1 hour' });
    const first = await startWorker(store, 'interval-1', [old]);
    await settled(first.agenda, old);
    await first.stop({ graceMs: 5_000 });
    const job = countingJob({ name: 'changed', every: '1 second' });
    await startWorker(store, 'interval-2', [job]);
    await expect.poll(() => job.runs, often).toBeGreaterThanOrEqual(3);
  });

  test('runs again, and tells of it, what a clock that was hours ahead had put off, or locked for a worker since killed', async () => {
    const putOff = countingJob({ name: 'put-off', every: '1 second' });
    const locked = countingJob({ name: 'locked', every: '1 second' });
    const ahead = new Date(Date.now() + 5 * hourMs);
    await leaveBehind(store, putOff, { nextRunAt: ahead });
    await leaveBehind(store, locked, { nextRunAt: ahead, lockedAt: ahead });
    const { errors } = await startWorker(store, 'right', [putOff, locked]);
    // One run is that of the worker's start.
    await expect.poll(() => Math.min(putOff.runs, locked.runs), often).toBeGreaterThanOrEqual(3);
    expect(errors.map(({ message }) => message)).toEqual([
      'Jobs scheduled in the future by a skewed clock were reset: put-off, locked',
    ]);
  });

  test('makes a schedule again that an operator has deleted', async () => {
    const job = countingJob({ name: 'deleted' });
    const worker = await startWorker(store, 'deleted', [job]);
    await settled(worker.agenda, job);
    expect(await worker.agenda.cancel({ name: 'deleted' })).toBeGreaterThan(0);
    const scheduled = async () => (await worker.agenda.queryJobs({ name: 'deleted' })).total;
    await expect.poll(scheduled, often).toBe(1);
  });
});

/** Makes the job's schedule, as a worker before this one has left it. */
async function leaveBehind(
  store: TestStore,
  schedule: { name: string; every: string },
  state: { nextRunAt: Date; lockedAt?: Date },
): Promise<void> {
  const jobs = await openJobStore(store.configFor('before'), throwError);
  const agenda = createAgenda(jobs, { processName: 'before', runsJobs: false, onError: throwError });
  await ensureSchedules(agenda, [schedule]);
  const { jobs: made } = await agenda.queryJobs({ name: schedule.name });
  await jobs.repository.saveJobState({ ...made[0]!, ...state }, undefined);
  await jobs.close();
}

/** Waits until nothing of the job is queued or running: its schedule alone is left. */
async function settled(
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
