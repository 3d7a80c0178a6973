import type { Job } from 'agenda';
import { minuteMs } from '../kit/duration.ts';
import { timedOut, withTimeout } from '../kit/with-timeout.ts';
import { lockLifetimeMs } from './agenda.ts';
import { createResidentRun } from './resident-run.ts';

/**
 * The time after which a run's signal aborts; the next run continues. The time must not be a multiple of half the
 * lock's lifetime. At that interval, Agenda checks the lock, and reports an error if it finds an ended run that is
 * being saved.
 */
const budgetMs = 18_000;
/** A run that has not ended after this time fails, so that it does not block its job forever. */
const limitMs = minuteMs;
/** The interval of renewals, short enough that one missed renewal does not lose the lock. */
const renewMs = lockLifetimeMs / 2.5;

export type JobRun = {
  /** Repeats the work if the run has `keepAlive`. */
  wake(): void;
  /** Returns whether the run was woken too late to repeat the work. */
  isWoken(): boolean;
  /** Aborts the run's signal. */
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
 * Starts a run with an abort signal, and renews the job's lock, because Agenda restarts a job with an expired lock even
 * if the job is still running.
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
    // A renewal that finishes after Agenda has saved the ended run would leave the job locked.
    await renewing;
  });
  return { wake: residentRun.wake, isWoken: residentRun.isWoken, abort, ended };
}

async function withTimeLimit(name: string, running: Promise<unknown>): Promise<void> {
  if ((await withTimeout(limitMs, running)) === timedOut)
    throw new Error(`${name} did not finish within ${limitMs / 1000} s`);
}
