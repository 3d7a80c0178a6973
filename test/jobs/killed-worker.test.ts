import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { lockLifetimeMs } from '../../src/jobs/agenda.ts';
import type { JobStore, JobStoreConfig } from '../../src/jobs/job-store.ts';
import { openJobStore } from '../../src/jobs/open-job-store.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { throwError } from '../setup/errors.ts';
import { describeStores, type TestStore } from './stores.ts';
import { countingJob, startWorker, stopWorkersAfterEach } from './test-worker.ts';

const onCleanup = cleanupAfterFile();

const script = fileURLToPath(new URL('./worker-process.ts', import.meta.url));

describeStores(onCleanup, 'When a worker is killed in the middle of a run', (openStore) => {
  let store: TestStore;
  let jobs: JobStore;
  beforeAll(async () => {
    store = await openStore();
    jobs = await openJobStore(store.configFor('looks'), throwError);
    return () => jobs.close();
  });
  stopWorkersAfterEach();

  test('the next one runs the job at once, and takes over what was locked when the locks run out', async () => {
    await killMidRun(store.configFor('killed'));
    const locked = await lockedBy(jobs, 'killed');
    expect(locked.length).toBeGreaterThan(0);

    const job = countingJob({ every: '1 second' });
    await startWorker(store, 'next', [job]);
    await expect.poll(() => job.runs).toBeGreaterThanOrEqual(1);
    expect(await lockedBy(jobs, 'killed')).toEqual(locked);

    await makeLocksOlder(jobs, 'killed');
    await expect.poll(() => lockedBy(jobs, 'killed')).toEqual([]);
    const before = job.runs;
    await expect.poll(() => job.runs).toBeGreaterThanOrEqual(before + 2);
    const oneOffs = async () =>
      (await jobs.repository.queryJobs()).jobs.filter(({ type }) => type === 'normal');
    await expect.poll(oneOffs).toEqual([]);
  });
});

/** Starts a worker process, and kills it when its run has begun and its schedule is locked too. */
async function killMidRun(config: JobStoreConfig): Promise<void> {
  const child: ChildProcess = spawn(process.execPath, [script, JSON.stringify(config)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(createInterface(child.stdout!), 'line');
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function lockedBy(jobs: JobStore, processName: string): Promise<string[]> {
  const { jobs: found } = await jobs.repository.queryJobs();
  const locked = found.filter((job) => job.lockedAt && job.lastModifiedBy === processName);
  return locked.map((job) => String(job._id)).sort();
}

async function makeLocksOlder(jobs: JobStore, processName: string): Promise<void> {
  const { jobs: found } = await jobs.repository.queryJobs();
  for (const job of found.filter(
    ({ lockedAt, lastModifiedBy }) => lockedAt && lastModifiedBy === processName,
  )) {
    const lockedAt = new Date(job.lockedAt!.getTime() - lockLifetimeMs);
    await jobs.repository.saveJobState({ ...job, lockedAt }, { lastModifiedBy: processName });
  }
}
