import { Agenda, InMemoryNotificationChannel } from 'agenda';
import type { JobStore } from './job-store.ts';

/** The interval at which Agenda polls for due jobs. */
const processEveryMs = 1_000;

/**
 * After this time, another worker can take over the job of a dead worker. Active runs renew their lock (run-job.ts).
 */
export const lockLifetimeMs = 10_000;

/**
 * Creates an Agenda on the store. With `runsJobs`, jobs that this process requests start immediately through an
 * in-process channel. Such a channel works on every store, costs no statement and cannot disconnect.
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
      // The store is already connected, and an error here would be an unhandled rejection.
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
 * Returns whether Agenda reports that it found a run without a lock. On busy machines, Agenda's periodic check finds a
 * run that has ended and is being saved. Active runs always hold their lock (run-job.ts).
 */
function isEndedRunError({ message }: Error): boolean {
  return /^execution of '[^']*' canceled, no lockedAt date found\b/.test(message);
}
