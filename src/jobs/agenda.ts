import { Agenda, InMemoryNotificationChannel } from 'agenda';
import type { JobStore } from './job-store.ts';

/** How often Agenda looks for due jobs. */
const processEveryMs = 1_000;

/** A job whose worker died is taken over after this time; a run that lives on renews its lock (run-job.ts). */
export const lockLifetimeMs = 10_000;

/**
 * Agenda on the store. With `runsJobs`, a job that this process asks for starts at once: its own channel tells Agenda,
 * within the process, so it is the same on every store, costs no statement, and cannot lose its connection.
 */
export function createAgenda(
  store: JobStore,
  options: { processName: string; runsJobs: boolean; onError: (error: Error) => void },
): Agenda {
  const agenda = new Agenda({
    backend: {
      name: store.name,
      repository: store.repository,
      ownsConnection: false,
      // The store is connected already; a failure in here would be an unhandled rejection.
      connect: async () => {},
      disconnect: async () => {},
    },
    name: options.processName,
    processEvery: processEveryMs,
    defaultLockLifetime: lockLifetimeMs,
    removeOnComplete: true,
    ...(options.runsJobs && { notificationChannel: new InMemoryNotificationChannel() }),
  });
  agenda.on('error', (error) => {
    if (!isEndedRunError(error)) options.onError(error);
  });
  return agenda;
}

/**
 * Agenda looks at the lock of a run now and then, and complains when it looks while the run, which has ended and gave its
 * lock back, is being saved: on a busy machine that happens. A run under way always has its lock (run-job.ts).
 */
function isEndedRunError({ message }: Error): boolean {
  return /^execution of '[^']*' canceled, no lockedAt date found\b/.test(message);
}
