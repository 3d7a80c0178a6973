import type { Job } from 'agenda';
import { minuteMs } from '../kit/duration.ts';
import { timedOut, withTimeout } from '../kit/with-timeout.ts';
import { lockLifetimeMs } from './agenda.ts';
import { createResidentRun } from './resident-run.ts';

/**
 * After this a run is told to end; the next run goes on with the rest. Not a multiple of half the lock's lifetime: Agenda
 * looks at the lock that often, and complains when it looks while an ended run is being saved.
 */
const budgetMs = 18_000;
/** A run that has not ended by then is given up, so that it cannot hold its job for ever. */
const limitMs = minuteMs;
/** Missed once, a renewal is not yet too late. */
const renewMs = lockLifetimeMs / 2.5;

/** One run under way in this process. */
export type JobRun = {
  /** Has a run that stands by look again. */
  wake(): void;
  /** Whether it was woken too late to look again. */
  isWoken(): boolean;
  /** Tells the run to end. */
  abort(): void;
  /** Settles with the run's end; rejects when its work failed. */
  ended: Promise<void>;
};

type RunJobOptions = {
  keepAlive?: boolean;
  idleIntervalMs?: number | undefined;
  work: (signal: AbortSignal) => unknown;
};

/**
 * Does the work with a signal that says when to end, and renews the job's lock meanwhile: Agenda starts a job again when
 * its lock has run out, also when it is still running here.
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
    // A renewal that came in after Agenda has saved the end would leave the job locked.
    await renewing;
  });
  return { wake: residentRun.wake, isWoken: residentRun.isWoken, abort, ended };
}

async function withTimeLimit(name: string, running: Promise<unknown>): Promise<void> {
  if ((await withTimeout(limitMs, running)) === timedOut)
    throw new Error(`${name} did not finish within ${limitMs / 1000} s`);
}
