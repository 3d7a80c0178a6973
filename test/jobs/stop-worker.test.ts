import { beforeAll, expect, test } from 'vitest';
import { openJobStore } from '../../src/jobs/open-job-store.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { throwError } from '../setup/errors.ts';
import { describeStores, type TestStore } from './stores.ts';
import { countingJob, gate, startWorker, stopWorkersAfterEach } from './test-worker.ts';

const onCleanup = cleanupAfterFile();

const often = { interval: 20 };

describeStores(onCleanup, 'A worker that is stopped', (openStore) => {
  let store: TestStore;
  beforeAll(async () => {
    store = await openStore();
  });
  stopWorkersAfterEach();

  test('tells a run to end, waits for it, and leaves nothing locked', async () => {
    const begun = gate();
    const ended: string[] = [];
    const job = countingJob({
      work: async ({ service }, signal) => {
        begun.open();
        if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
        await service.pool.query('SELECT pg_sleep(0.2)');
        ended.push('the run');
      },
    });
    const idle = countingJob({ name: 'idle', every: '1 second' });
    const standing = countingJob({ name: 'stands by', every: '1 second', keepAlive: true });
    const worker = await startWorker(store, 'stopped', [job, idle, standing]);
    await begun.opened;
    await worker.stop({ graceMs: 5_000 });
    ended.push('the worker');
    expect(ended).toEqual(['the run', 'the worker']);
    expect(worker.errors).toEqual([]);
    expect(await lockedJobs(store)).toEqual([]);
  });

  test('starts nothing more', async () => {
    const job = countingJob({ every: '1 second' });
    const worker = await startWorker(store, 'quiet', [job]);
    await expect.poll(() => job.runs, often).toBeGreaterThanOrEqual(1);
    const stopping = worker.stop({ graceMs: 5_000 });
    const runs = job.runs;
    worker.notice();
    await stopping;
    const other = countingJob({ name: 'other', every: '1 second' });
    await startWorker(store, 'later', [other]);
    await expect.poll(() => other.runs, often).toBeGreaterThanOrEqual(3);
    expect(job.runs).toBe(runs);
  });

  test('does not wait longer than its grace, and lets another worker have the job at once', async () => {
    const forever = gate();
    const hanging = countingJob({ every: '1 second', work: () => forever.opened });
    const worker = await startWorker(store, 'hanging', [hanging]);
    await expect.poll(() => hanging.runs, often).toBe(1);
    // It ends at all: what it waits for never does.
    await worker.stop({ graceMs: 300 });
    expect(await lockedJobs(store)).toEqual([]);
    const job = countingJob({ every: '1 second' });
    await startWorker(store, 'successor', [job]);
    await expect.poll(() => job.runs, often).toBeGreaterThanOrEqual(3);
    forever.open();
  });

  test('begins no run that Agenda was about to begin', async () => {
    for (let round = 0; round < 20; round++) {
      let stopping = false;
      const late: string[] = [];
      const job = countingJob({ every: '1 second', work: async () => void (stopping && late.push('began')) });
      const worker = await startWorker(store, `round-${round}`, [job]);
      // Each round stops it at another point of the way from the schedule to the run.
      const stopAt = performance.now() + round * 0.7;
      while (performance.now() < stopAt) await new Promise(setImmediate);
      stopping = true;
      await worker.stop({ graceMs: 5_000 });
      expect(late).toEqual([]);
      expect(await lockedJobs(store)).toEqual([]);
    }
  });

  test('can be stopped without having been started', async () => {
    const job = countingJob();
    const worker = await startWorker(store, 'built', [job], { start: false });
    await worker.stop({ graceMs: 0 });
    expect(job.runs).toBe(0);
    expect(worker.errors).toEqual([]);
  });
});

/** Names of the jobs that are locked, whoever holds them. */
async function lockedJobs(store: TestStore): Promise<string[]> {
  const { repository, close } = await openJobStore(store.configFor('looks'), throwError);
  const { jobs } = await repository.queryJobs();
  await close();
  return jobs.filter(({ lockedAt }) => lockedAt).map(({ name }) => name);
}
