import { afterEach, vi } from 'vitest';
import type { JobDefinition } from '../../src/jobs/definitions.ts';
import type { JobStoreConfig } from '../../src/jobs/job-store.ts';
import { openJobStore } from '../../src/jobs/open-job-store.ts';
import { systemClock } from '../../src/kit/clock.ts';
import { createHub, type Hub } from '../../src/live/hub.ts';
import { listen } from '../../src/live/listen.ts';
import { buildWorker, type Worker, type WorkerOptions } from '../../src/worker.ts';
import { toDirect } from '../setup/pooler.ts';
import type { TestStore } from './stores.ts';

export type TestWorker = Worker & { hub: Hub; errors: Error[]; notice: () => void };

const started: (Worker & { config: JobStoreConfig })[] = [];

/** Stops the workers after each test, and removes all jobs of the shared store. */
export function stopWorkersAfterEach(): void {
  afterEach(async () => {
    const workers = started.splice(0);
    await Promise.all(workers.map((worker) => worker.stop({ graceMs: 5_000 })));
    if (!workers[0]) return;
    const { config } = workers[0];
    // PgBouncer remembers for a second that it could not connect, which some tests cause.
    const store = await vi.waitFor(() => openJobStore(config, () => {}), { timeout: 10_000 });
    await store.repository.purgeAllJobs();
    await store.close();
  });
}

/** Builds a worker, and starts it by default. `notice` publishes a change of a charge, like a commit. */
export async function startWorker(
  store: TestStore,
  processName: string,
  jobs?: readonly JobDefinition[],
  { start = true } = {},
): Promise<TestWorker> {
  const config = store.configFor(processName);
  const hub = createHub();
  const errors: Error[] = [];
  const worker = await buildWorker({
    config,
    service: store.service,
    hub,
    clock: systemClock,
    onError: (error) => errors.push(error),
    ...(jobs && { jobs }),
  });
  if (start) await worker.start();
  started.push({ ...worker, config });
  const notice = () => hub.publish({ objectId: 'ch_1', merchantId: 'mer_1', mode: 'live' });
  return { ...worker, hub, errors, notice };
}

type ServiceWorker = Pick<WorkerOptions, 'config' | 'service' | 'onError' | 'jobs'>;

/** Starts a worker that receives notices by LISTEN, like a process. */
export async function startServiceWorker(
  options: ServiceWorker,
): Promise<AsyncDisposable & { stop: () => Promise<void> }> {
  const hub = createHub();
  const listener = await listen(toDirect(options.config.connectionString), hub, options.onError);
  const worker = await buildWorker({ ...options, hub, clock: systemClock });
  await worker.start();
  const stop = async () => {
    await worker.stop({ graceMs: 5_000 });
    await listener.stop();
  };
  return { stop, [Symbol.asyncDispose]: stop };
}

/** Creates a job that counts its runs; by default it is scheduled every hour. */
export function createCountingJob(options: Partial<JobDefinition> = {}): JobDefinition & { runs: number } {
  const job: JobDefinition & { runs: number } = {
    name: 'relay-events',
    every: '1 hour',
    runs: 0,
    ...options,
    async work(context, signal) {
      job.runs++;
      await options.work?.(context, signal);
    },
  };
  return job;
}

/** Creates a promise that resolves when `open` is called. */
export function createGate(): { opened: Promise<void>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}
