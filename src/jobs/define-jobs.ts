import type { Agenda, Job } from 'agenda';
import { type Tracer, withSpan } from '../kit/tracer.ts';
import type { JobContext, JobDefinition } from './definitions.ts';
import { createJobTrigger } from './job-trigger.ts';
import { type JobRun, runJob } from './run-job.ts';

type DefinedJobs = {
  /** Starts a run of the job soon, or makes its active run repeat the work. */
  wake(name: string): void;
  /** Ends the runs of these jobs and ignores their wakes until the next call. */
  pause(names: readonly string[]): void;
  isPaused(name: string): boolean;
  /** Starts no more runs, aborts the active ones and resolves when they have ended. */
  end(): Promise<void>;
};

type DefineJobsOptions = {
  jobs: readonly JobDefinition[];
  context: Omit<JobContext, 'wake'>;
  onError: (error: Error) => void;
  tracer?: Tracer | undefined;
};

/** Defines the jobs for Agenda with at most one run of each in this process, and wakes them. */
export function defineJobs(
  agenda: Agenda,
  { jobs, context, onError, tracer }: DefineJobsOptions,
): DefinedJobs {
  const runs = new Map<string, JobRun>();
  let paused: readonly string[] = [];
  let isEnding = false;

  const trigger = createJobTrigger({
    requestRun: (name) => agenda.now(name),
    isRunning: (name) => isEnding || runs.has(name),
    onError,
  });
  const wake = (name: string): void => {
    if (isEnding || paused.includes(name)) return;
    const run = runs.get(name);
    if (run) run.wake();
    else trigger.wake(name);
  };
  const onFailure = (name: string, error: Error): void => {
    trigger.recordFailure(name);
    onError(error);
  };
  for (const definition of jobs) {
    const startRun = createJobRunner(definition, {
      runs,
      context: { ...context, wake },
      onError,
      onFailure,
      tracer,
    });
    defineJob(agenda, definition.name, async (job) => {
      // The active run does the work of this job. If the job waited in Agenda's queue, its lock would expire, and
      // Agenda loses track of such jobs.
      if (runs.has(definition.name)) wake(definition.name);
      // Agenda may still start a job while it is being stopped.
      else if (!isEnding) await startRun(job);
    });
  }
  return {
    wake,
    pause(names) {
      paused = names;
      for (const name of names) runs.get(name)?.abort();
    },
    isPaused: (name) => paused.includes(name),
    async end() {
      isEnding = true;
      for (const run of runs.values()) run.abort();
      await Promise.allSettled([...runs.values()].map(({ ended }) => ended));
    },
  };
}

type JobRunnerOptions = {
  runs: Map<string, JobRun>;
  context: JobContext;
  onError: (error: Error) => void;
  onFailure: (name: string, error: Error) => void;
  tracer: Tracer | undefined;
};

/** Returns a function that performs one run of the job, and starts another if the run was woken too late. */
function createJobRunner(
  { name, keepAlive = false, idleIntervalMs, work }: JobDefinition,
  options: JobRunnerOptions,
): (job: Job) => Promise<void> {
  const { runs, context, onError, onFailure, tracer } = options;
  return async (job) => {
    let run: JobRun | undefined;
    try {
      await withSpan(tracer, `job ${name}`, { parent: 'none' }, () => {
        run = runJob(job, { keepAlive, idleIntervalMs, work: (signal) => work(context, signal) }, onError);
        runs.set(name, run);
        return run.ended;
      });
    } catch (error) {
      onFailure(name, error as Error);
      throw error;
    } finally {
      runs.delete(name);
      if (run?.isWoken()) context.wake(name);
    }
  };
}

function defineJob(agenda: Agenda, name: string, handler: (job: Job) => Promise<void>): void {
  agenda.define(name, handler);
  // The dashboard must not show the installation path.
  agenda.definitions[name]!.filePath = undefined;
}
