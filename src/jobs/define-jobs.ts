import type { Agenda, Job } from 'agenda';
import type { JobContext, JobDefinition } from './definitions.ts';
import { type Run, runJob } from './run-job.ts';
import { createStandBy } from './stand-by.ts';
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
};

/** Defines the jobs for Agenda, one run of each at a time in this process, and wakes them. */
export function defineJobs(agenda: Agenda, { jobs, context, onError }: Options): DefinedJobs {
  const runs = new Map<string, Run & { wake: () => void }>();
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

  const begin = async (definition: JobDefinition, job: Job): Promise<void> => {
    const { name, standsBy, work } = definition;
    const standBy = createStandBy();
    const once = async (signal: AbortSignal) => work({ ...context, wake }, signal);
    const run = runJob(
      job,
      (signal) => (standsBy ? standBy.run(() => once(signal), signal) : once(signal)),
      onError,
    );
    runs.set(name, { ...run, wake: standBy.wake });
    try {
      await run.ended;
    } catch (error) {
      waker.failed(name);
      onError(error as Error);
      throw error;
    } finally {
      runs.delete(name);
    }
  };

  for (const definition of jobs) {
    const { name } = definition;
    agenda.define(name, async (job: Job) => {
      // Left to the run under way: in Agenda's queue the lock would run out, and Agenda loses track of such jobs.
      if (runs.has(name)) wake(name);
      // Agenda may have been about to begin it when it was stopped.
      else if (!ending) await begin(definition, job);
    });
    // Not for the dashboard: where the service is installed is nobody's business.
    agenda.definitions[name]!.filePath = undefined;
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
