import type { Job } from 'agenda';
import { minuteMs } from '../kit/duration.ts';
import { timedOut, withTimeout } from '../kit/with-timeout.ts';
import { lockLifetimeMs } from './agenda.ts';
import { createResidentRun } from './resident-run.ts';

/**
 * After this time a run is asked to end; the next run continues. It must not be a multiple of half the lock's
 * lifetime. Agenda checks the lock at that interval, and reports an error if it checks while an ended run is
 * being saved.
 */
const budgetMs = 18_000;
/** A run that has not ended after this time fails, so that it does not block its job forever. */
const limitMs = minuteMs;
/** Frequent enough that one missed renewal does not lose the lock. */
const renewMs = lockLifetimeMs / 2.5;

/** A run in this process. */
export type JobRun = {
  /** Starts another sweep of a resident run. */
  wake(): void;
  /** True if the run was woken too late for another sweep. */
  isWoken(): boolean;
  /** Asks the run to end. */
  abort(): void;
  /** Settles when the run ends; rejects if its work failed. */
  ended: Promise<void>;
};

type RunJobOptions = {
  keepAlive?: boolean;
  idleIntervalMs?: number | undefined;
  work: (signal: AbortSignal) => unknown;
};

/**
 * Runs the work with a signal that asks it to end, and renews the job's lock. Agenda restarts a job with an
 * expired lock, even if it is still running here.
 */
export function runJob(
  job: Pick<Job, 'attrs' | 'touch'>,
  { keepAlive, idleIntervalMs, work }: RunJobOptions,
  onError: (error: Error) => void,
): JobRun {
  const controller = new AbortController();
  const { signal } = controller;
  const residentRun = createResidentRun(idleIntervalMs);
  const runOnce = async () => work(signal);
  const running = keepAlive ? residentRun.run(runOnce, signal) : runOnce();
  const abort = () => controller.abort();
  const budget = setTimeout(abort, budgetMs);
  let renewing: Promise<void> = Promise.resolve();
  const renewal = setInterval(() => {
    renewing = job.touch().catch(onError);
  }, renewMs);
  const ended = withTimeLimit(job.attrs.name, running).finally(async () => {
    clearTimeout(budget);
    clearInterval(renewal);
    // A renewal after Agenda has saved the end would leave the job locked.
    await renewing;
  });
  return { wake: residentRun.wake, isWoken: residentRun.isWoken, abort, ended };
}

async function withTimeLimit(name: string, running: Promise<unknown>): Promise<void> {
  if ((await withTimeout(limitMs, running)) === timedOut)
    throw new Error(`${name} did not finish within ${limitMs / 1000} s`);
}
