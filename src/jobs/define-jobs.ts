import type { Agenda, Job } from 'agenda';
import { type Tracer, traced } from '../kit/tracer.ts';
import type { JobContext, JobDefinition } from './definitions.ts';
import { type Run, runJob } from './run-job.ts';
import { createWaker } from './waker.ts';

export type DefinedJobs = {
  /** Has the job run soon, or look again where it stands by. */
  wake(name: string): void;
  /** Ends the runs of these and wakes them no more, until the next call. */
  pause(names: readonly string[]): void;
  /** Begins no more runs, tells those under way to end, and resolves when they have. */
  end(): Promise<void>;
};

type Options = {
  jobs: readonly JobDefinition[];
  context: Omit<JobContext, 'wake'>;
  onError: (error: Error) => void;
  tracer?: Tracer | undefined;
};

/** Defines the jobs for Agenda, one run of each at a time in this process, and wakes them. */
export function defineJobs(agenda: Agenda, { jobs, context, onError, tracer }: Options): DefinedJobs {
  const runs = new Map<string, Run>();
  let paused: readonly string[] = [];
  let ending = false;

  const waker = createWaker({
    ask: (name) => agenda.now(name),
    underWay: (name) => ending || runs.has(name),
    onError,
  });
  const wake = (name: string): void => {
    if (ending || paused.includes(name)) return;
    const run = runs.get(name);
    if (run) run.wake();
    else waker.wake(name);
  };
  const onFailure = (name: string, error: Error): void => {
    waker.failed(name);
    onError(error);
  };
  for (const definition of jobs) {
    const begin = beginner(definition, { runs, context: { ...context, wake }, onError, onFailure, tracer });
    defineJob(agenda, definition.name, async (job) => {
      // Left to the run under way: in Agenda's queue the lock would run out, and Agenda loses track of such jobs.
      if (runs.has(definition.name)) wake(definition.name);
      // Agenda may have been about to begin it when it was stopped.
      else if (!ending) await begin(job);
    });
  }
  return {
    wake,
    pause(names) {
      paused = names;
      for (const name of names) runs.get(name)?.abort();
    },
    async end() {
      ending = true;
      for (const run of runs.values()) run.abort();
      await Promise.allSettled([...runs.values()].map(({ ended }) => ended));
    },
  };
}

type Beginning = {
  runs: Map<string, Run>;
  context: JobContext;
  onError: (error: Error) => void;
  onFailure: (name: string, error: Error) => void;
  tracer: Tracer | undefined;
};

/** What does one run of the job, from its beginning to its end. */
function beginner(
  { name, standsBy = false, restMs, work }: JobDefinition,
  options: Beginning,
): (job: Job) => Promise<void> {
  const { runs, context, onError, onFailure, tracer } = options;
  return async (job) => {
    let run: Run | undefined;
    try {
      await traced(tracer, `job ${name}`, { parent: 'none' }, () => {
        run = runJob(job, { standsBy, restMs, work: (signal) => work(context, signal) }, onError);
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
  // Not for the dashboard: where the service is installed is nobody's business.
  agenda.definitions[name]!.filePath = undefined;
}
